import { type InferRawDocType, type mongo as driver, Schema } from 'mongoose';
import { schemaOptions } from '../models.ts';
import type { Mongo } from '../mongo.ts';

/** One document per relay: which replica publishes its changes, and from where on. */
const fields = {
  _id: { type: String, required: true },
  leader: { type: String },
  /** By the machine's clock. From then on another replica may lead. */
  leaseUntil: { type: Date },
  /** Resume token of the change stream; absent until something was published. */
  token: { type: Schema.Types.Mixed },
  /** Without a token: an operation time before the first change to publish. */
  startAt: { type: Schema.Types.Mixed, required: true },
} as const;

/** Mongoose has no types for the values of the driver. */
export interface RelayDocument extends Omit<InferRawDocType<typeof fields>, 'token' | 'startAt'> {
  token?: driver.ResumeToken;
  startAt: driver.Timestamp;
}

const schema = new Schema<RelayDocument>(fields, { ...schemaOptions, collection: 'relay' });

export const relayModel = (mongo: Mongo) => mongo.model<RelayDocument>('Relay', schema);
