import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

/** How many applications one network address has sent in one hour. */
const fields = {
  /** A salted hash of address and hour. */
  _id: { type: String, required: true },
  count: { type: Number, required: true },
  /** By the database's clock, which may differ from the service's. */
  expireAt: { type: Date, required: true },
} as const;

export type AttemptDocument = InferRawDocType<typeof fields>;

const schema = new Schema<AttemptDocument>(fields, { ...schemaOptions, collection: 'attempts' });
schema.index({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 });

export const attemptModel = (mongo: Mongo) => mongo.model<AttemptDocument>('Attempt', schema);
