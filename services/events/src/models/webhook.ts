import { disabledReasons } from '@joblisting/contracts';
import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

const part = { ...schemaOptions, _id: false } as const;

/** One document per webhook, with how far the log of its company was sent. */
const definition = {
  _id: { type: Number, required: true },
  companyId: { type: Number, required: true },
  /** Its place among those of the company, from 1: makes their limit exact. */
  place: { type: Number, required: true },
  url: { type: String, required: true },
  types: { type: [String], required: true },
  description: String,
  /** Signs what is sent, so it is stored as it is. */
  secret: { type: String, required: true },
  formerSecrets: {
    type: [
      new Schema({ secret: { type: String, required: true }, until: { type: Date, required: true } }, part),
    ],
    required: true,
  },
  createdAt: { type: Date, required: true },
  /** Set while nothing is sent. */
  disabled: {
    type: new Schema(
      { reason: { type: String, enum: disabledReasons, required: true }, at: { type: Date, required: true } },
      part,
    ),
  },
  /** The first failed attempt after the last good one. */
  failingSince: Date,
  /** The receiver asked for a pause until then. */
  pausedUntil: Date,
  /** The number of the last event of the log that was sent, is pending, or was not asked for. */
  position: { type: Number, required: true },
  /** Events after `position` up to `to`, which are sent again before new ones. */
  replay: {
    type: new Schema(
      { position: { type: Number, required: true }, to: { type: Number, required: true } },
      part,
    ),
  },
  /** How many deliveries are pending. */
  pending: { type: Number, required: true },
  /** When the first of them is due. */
  wakeAt: Date,
  /** Rises with each change, so that what was decided on an older state is not stored. */
  revision: { type: Number, required: true },
} as const;

const schema = new Schema(definition, { ...schemaOptions, collection: 'webhooks' });
schema.index({ companyId: 1, place: 1 }, { unique: true });

export type WebhookDocument = InferRawDocType<typeof definition>;

export const webhookModel = (mongo: Mongo) => mongo.model('Webhook', schema);
