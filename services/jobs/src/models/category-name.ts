import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/** One document per category: the newest name that this service knows, for jobs that are written during a rename. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    version: { type: Number, required: true },
  },
  { ...schemaOptions, collection: 'category_names' },
);

export const categoryNameModel = (mongo: Mongo) => mongo.model('CategoryName', schema);
