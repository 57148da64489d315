import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/** The last name of a category that this service was told, so that a job written meanwhile gets it too. */
export interface CategoryNameDocument {
  readonly _id: number;
  readonly name: string;
  readonly version: number;
}

const schema = new Schema<CategoryNameDocument>(
  { _id: Number, name: { type: String, required: true }, version: { type: Number, required: true } },
  { ...schemaOptions, collection: 'category_names' },
);

export const categoryNameModel = (mongo: Mongo) => mongo.model<CategoryNameDocument>('CategoryName', schema);
