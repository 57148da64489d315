import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

const number = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;

/** One document per full sync. `removeAt` is by the machine's time, because MongoDB removes by its own. */
const syncFields = {
  _id: number,
  companyId: number,
  /** How referenceIds of the sync begin. */
  scope: { type: String, allowNull: false },
  state: { type: String, enum: ['open', 'committing', 'committed'], required: true },
  startedAt: date,
  endsAt: date,
  /** Written before the first job is closed or deleted. */
  decision: {
    type: new Schema(
      {
        missing: { type: String, enum: ['close', 'delete', 'keep'], required: true },
        requestedBy: { type: { _id: false, consumerId: Number, userId: Number }, default: undefined },
        /** From then on the task may go on with it, by the machine's time. */
        resumeAt: date,
      },
      { ...schemaOptions, _id: false },
    ),
    allowNull: false,
  },
  removeAt: date,
} as const;
export type SyncDocument = InferRawDocType<typeof syncFields>;

const syncSchema = new Schema(syncFields, { ...schemaOptions, collection: 'syncs' });
syncSchema.index(
  { 'decision.resumeAt': 1 },
  { name: 'committing', partialFilterExpression: { state: 'committing' } },
);
syncSchema.index({ removeAt: 1 }, { name: 'removal', expireAfterSeconds: 0 });

/** One document per referenceId that was sent, and per job that was not once the sync is committed. */
const entryFields = {
  /** `<sync>/<referenceId>` */
  _id: { type: String, required: true },
  syncId: number,
  referenceId: { type: String, required: true },
  /** Index in `outcomes`, so that `$max` keeps the most. */
  outcome: number,
  /** Of a job that was not sent. */
  jobId: { type: Number, allowNull: false },
  removeAt: date,
} as const;
export type SyncEntryDocument = InferRawDocType<typeof entryFields>;

const entrySchema = new Schema(entryFields, { ...schemaOptions, collection: 'sync_entries' });
entrySchema.index({ syncId: 1, outcome: 1, referenceId: 1 }, { name: 'outcome' });
entrySchema.index({ removeAt: 1 }, { name: 'removal', expireAfterSeconds: 0 });

export const syncModel = (mongo: Mongo) => mongo.model('Sync', syncSchema);
export const syncEntryModel = (mongo: Mongo) => mongo.model('SyncEntry', entrySchema);
