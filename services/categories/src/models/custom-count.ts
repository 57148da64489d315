import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/**
 * One document per company: how many custom categories it has. Two transactions that add one conflict on it; if both
 * counted categories instead, both could take the last place.
 */
const schema = new Schema(
  {
    /** The company. */
    _id: { type: Number, required: true },
    customs: { type: Number, required: true },
  },
  { ...schemaOptions, collection: 'custom_counts' },
);

export const customCountModel = (mongo: Mongo) => mongo.model('CustomCount', schema);
