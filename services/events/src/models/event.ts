import { loggedTypes } from '@joblisting/contracts';
import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';
import type { NumberedEntry } from '../domain/entry.ts';

const part = { ...schemaOptions, _id: false } as const;

/** One document per event of the log. */
const definition = {
  /** The id of its message, by which a message that comes again is known. */
  _id: { type: String, required: true },
  companyId: { type: Number, required: true },
  /** From 1, without gaps in the log of a company. */
  seq: { type: Number, required: true },
  type: { type: String, enum: loggedTypes, required: true },
  at: { type: Date, required: true },
  /** When it was added to the log: its retention counts from then. */
  loggedAt: { type: Date, required: true },
  jobId: Number,
  /** Of events of jobs. */
  version: Number,
  referenceId: String,
  statusId: Number,
  fields: { type: [String], default: undefined },
  applicationId: Number,
  copy: Number,
  category: {
    type: new Schema({ id: { type: Number, required: true }, name: { type: String, required: true } }, part),
  },
  webhook: { type: new Schema({ id: { type: Number, required: true }, reason: String }, part) },
} as const;

/** Absent where an event has none, never null, which a schema cannot say. */
export interface EventDocument extends Omit<NumberedEntry, 'id'> {
  readonly _id: string;
  readonly loggedAt: Date;
}

const schema = new Schema<EventDocument>(definition, { ...schemaOptions, collection: 'events' });
schema.index({ companyId: 1, seq: 1 }, { unique: true });
schema.index(
  { jobId: 1, version: -1 },
  { name: 'version', unique: true, partialFilterExpression: { version: { $exists: true } } },
);
schema.index({ companyId: 1, loggedAt: 1, seq: 1 }, { name: 'time' });
schema.index({ loggedAt: 1 }, { name: 'retention' });

export const eventModel = (mongo: Mongo) => mongo.model<EventDocument>('Event', schema);
