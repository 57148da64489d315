import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

/** Secrets that all replicas share: `tokens` signs tokens; `visitors` salts the hashes of one day's visitors. */
const fields = {
  _id: { type: String, enum: ['tokens', 'visitors'], required: true },
  value: { type: String, required: true },
  /** The UTC day of `visitors`, which replaces the salt of the day before. */
  day: { type: String },
} as const;

export type SecretDocument = InferRawDocType<typeof fields>;

const schema = new Schema<SecretDocument>(fields, { ...schemaOptions, collection: 'secrets' });

export const secretModel = (mongo: Mongo) => mongo.model<SecretDocument>('Secret', schema);
