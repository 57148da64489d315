import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/** One document per category: the last name that this service was told, for jobs that are written meanwhile. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    version: { type: Number, required: true },
  },
  { ...schemaOptions, collection: 'category_names' },
);

export const categoryNameModel = (mongo: Mongo) => mongo.model('CategoryName', schema);
