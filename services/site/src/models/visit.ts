import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

/** The last counted view or click-through of a visitor for a job. */
const fields = {
  /** A salted hash of visitor, job and type. */
  _id: { type: String, required: true },
  eventId: { type: String, required: true },
  countedAt: { type: Date, required: true },
  /** By the database's clock, which may differ from the service's. */
  expireAt: { type: Date, required: true },
} as const;

export type VisitDocument = InferRawDocType<typeof fields>;

const schema = new Schema<VisitDocument>(fields, { ...schemaOptions, collection: 'visits' });
schema.index({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 });

export const visitModel = (mongo: Mongo) => mongo.model<VisitDocument>('Visit', schema);
