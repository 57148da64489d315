import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

/** One document: how far the reading of all published jobs has come. */
const fields = {
  _id: { type: String, required: true },
  /** The id of a job to go on after. */
  after: { type: Number, required: true },
  /** When the next reading begins; in the past while one is under way. */
  nextAt: { type: Date, required: true },
  /** One replica reads until then, and renews it with each page. */
  leasedUntil: { type: Date, required: true },
} as const;

export type RefreshDocument = InferRawDocType<typeof fields>;

const schema = new Schema<RefreshDocument>(fields, { ...schemaOptions, collection: 'refreshes' });

export const refreshModel = (mongo: Mongo) => mongo.model<RefreshDocument>('Refresh', schema);
