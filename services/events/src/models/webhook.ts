import { disabledReasons } from '@joblisting/contracts';
import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';
import type { Webhook } from '../domain/webhook.ts';

const part = { ...schemaOptions, _id: false } as const;
const number = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;
const text = { type: String, required: true } as const;

export interface WebhookDocument extends Omit<Webhook, 'id'> {
  readonly _id: number;
  /** Its place among those of the company, from 1: makes their limit exact. */
  readonly place: number;
}

/** One document per webhook, with how far the log of its company was sent. */
const schema = new Schema<WebhookDocument>(
  {
    _id: number,
    companyId: number,
    place: number,
    url: text,
    types: { type: [String], required: true },
    description: String,
    // They sign what is sent, so they are stored as they are.
    secret: text,
    formerSecrets: { type: [new Schema({ secret: text, until: date }, part)], required: true },
    createdAt: date,
    disabled: {
      type: new Schema({ reason: { ...text, enum: disabledReasons }, at: date }, part),
    },
    failingSince: Date,
    pausedUntil: Date,
    position: number,
    replay: { type: new Schema({ position: number, to: number }, part) },
    pending: number,
    wakeAt: Date,
    revision: number,
  },
  { ...schemaOptions, collection: 'webhooks' },
);
schema.index({ companyId: 1, place: 1 }, { unique: true });

export const webhookModel = (mongo: Mongo) => mongo.model<WebhookDocument>('Webhook', schema);
