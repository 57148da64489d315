import type { StatusId } from '@joblisting/contracts';
import { type Mongo, schemaOptions, type StoredAnswer } from '@joblisting/service-kit';
import { Schema } from 'mongoose';
import { type ChangeDocument, changeSchema } from './change.ts';
import { expiryIndex, keptAnswerSchema, keyIndex } from './kept-answer.ts';

/**
 * One document per deleted job: its last change, its kept answer until that expires, and what is still to be cleaned
 * up. Nothing else of the job.
 */
export interface TombstoneDocument {
  readonly _id: number;
  readonly companyId: number;
  readonly deletedAt: Date;
  readonly change?: ChangeDocument;
  readonly idempotency?: StoredAnswer;
  /** Other services may still keep something of the job. */
  readonly cleaning?: true;
  /** As the job had it. */
  readonly counted?: StatusId;
  readonly uncounted?: true;
  /** When it may be forgotten; absent until it is cleaned. */
  readonly expireAt?: Date;
}

const schema = new Schema<TombstoneDocument>(
  {
    _id: Number,
    companyId: { type: Number, required: true },
    deletedAt: { type: Date, required: true },
    change: changeSchema,
    idempotency: keptAnswerSchema,
    cleaning: Boolean,
    counted: Number,
    uncounted: Boolean,
    expireAt: Date,
  },
  { ...schemaOptions, collection: 'tombstones' },
);

schema.index(...keyIndex);
schema.index(...expiryIndex);
schema.index({ deletedAt: 1 }, { name: 'cleaning', partialFilterExpression: { cleaning: true } });
schema.index({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 });
schema.index(
  { uncounted: 1, companyId: 1, counted: 1 },
  { name: 'uncounted', partialFilterExpression: { uncounted: true } },
);

export const tombstoneModel = (mongo: Mongo) => mongo.model<TombstoneDocument>('Tombstone', schema);
