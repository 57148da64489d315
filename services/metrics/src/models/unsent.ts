import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema, type Types } from 'mongoose';

export interface UnsentDocument {
  readonly _id: Types.ObjectId;
  readonly jobIds: readonly number[];
}

/**
 * One document per transaction that counted: the jobs whose totals must still be sent. A flag on the totals would make
 * sender and transactions conflict all the time.
 */
const schema = new Schema<UnsentDocument>(
  { jobIds: { type: [Number], required: true } },
  { ...schemaOptions, collection: 'unsent' },
);

export const unsentModel = (mongo: Mongo) => mongo.model<UnsentDocument>('Unsent', schema);
