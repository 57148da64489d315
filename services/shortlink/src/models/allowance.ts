import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/** One document per budget period. */
const schema = new Schema(
  {
    /** `2026-03`, `2026-03-01` or `2026-03-01T12`, in UTC. */
    _id: { type: String, required: true },
    /** Links taken from the budget. */
    spent: { type: Number, required: true },
    /** Bitly asked for a pause until then. */
    pausedUntil: { type: Date },
    expireAt: { type: Date, required: true },
  },
  { ...schemaOptions, collection: 'allowances' },
);
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export const allowanceModel = (mongo: Mongo) => mongo.model('Allowance', schema);
