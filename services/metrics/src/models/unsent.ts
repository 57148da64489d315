import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/**
 * One document per transaction that counted: the jobs whose totals must still be sent. A flag on the totals would make
 * sender and transactions conflict all the time.
 */
const schema = new Schema(
  { jobIds: { type: [Number], required: true } },
  { ...schemaOptions, collection: 'unsent' },
);

export const unsentModel = (mongo: Mongo) => mongo.model('Unsent', schema);
