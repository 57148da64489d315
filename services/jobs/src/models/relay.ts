import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type mongo as driver, Schema } from 'mongoose';

/** One document: which replica publishes the changes of jobs, and from where on. */
export interface RelayDocument {
  readonly _id: string;
  readonly leader?: string;
  /** By the machine's clock. From then on another replica may lead. */
  readonly leaseUntil?: Date;
  /** Resume token of the change stream; absent until something was published. */
  readonly token?: driver.ResumeToken;
  /** Without a token: an operation time before the first change to publish. */
  readonly startAt: driver.Timestamp;
}

const schema = new Schema<RelayDocument>(
  {
    _id: String,
    leader: String,
    leaseUntil: Date,
    token: Schema.Types.Mixed,
    startAt: Schema.Types.Mixed,
  },
  { ...schemaOptions, collection: 'relay' },
);

export const relayModel = (mongo: Mongo) => mongo.model<RelayDocument>('Relay', schema);
