import { status } from '@joblisting/contracts';
import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';
import { changeSchema } from './change.ts';
import { expiryIndex, keptAnswerSchema, keyIndex } from './kept-answer.ts';

/**
 * One document per deleted job: its last change, its kept answer until that expires, and what is still to be cleaned
 * up. Nothing else of the job.
 */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    companyId: { type: Number, required: true },
    deletedAt: { type: Date, required: true },
    change: { type: changeSchema },
    idempotency: { type: keptAnswerSchema },
    /** Other services may still keep something of the job. */
    cleaning: { type: Boolean },
    /** As the job had it. */
    counted: { type: Number, enum: Object.values(status) },
    uncounted: { type: Boolean },
    /** When it may be forgotten; absent until it is cleaned. */
    expireAt: { type: Date },
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

export const tombstoneModel = (mongo: Mongo) => mongo.model('Tombstone', schema);
