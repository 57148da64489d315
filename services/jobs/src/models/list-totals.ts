import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/**
 * One document per company: how many of its jobs have each status. Derived: a job with `uncounted` is in them under
 * its `counted` status, if it has one, and every other job under its status.
 */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    totals: { type: Map, of: Number },
    /** How often an operator had them recounted. */
    recounts: { type: Number },
  },
  { ...schemaOptions, collection: 'list_totals' },
);

export const listTotalsModel = (mongo: Mongo) => mongo.model('ListTotals', schema);
