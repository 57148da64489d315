import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/**
 * One document per company: how many custom categories it has. Two transactions that add a category conflict on it. If
 * they counted categories instead, both could pass the limit.
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
