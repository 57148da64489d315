import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

/** One document per event that waits for another attempt, or behind one that does. */
const definition = {
  /** `<webhook>:<number of the event>` */
  _id: { type: String, required: true },
  webhookId: { type: Number, required: true },
  seq: { type: Number, required: true },
  /** What it must stay in order with. */
  subject: { type: String, required: true },
  eventId: { type: String, required: true },
  type: { type: String, required: true },
  /** What is sent, so that it does not depend on the retention of the log. */
  body: { type: String, required: true },
  failures: { type: Number, required: true },
  firstFailedAt: Date,
  nextAttemptAt: { type: Date, required: true },
} as const;

const schema = new Schema(definition, { ...schemaOptions, collection: 'deliveries' });
schema.index({ webhookId: 1, subject: 1, seq: 1, nextAttemptAt: 1 }, { name: 'order' });

export type DeliveryDocument = InferRawDocType<typeof definition>;

export const deliveryModel = (mongo: Mongo) => mongo.model('Delivery', schema);
