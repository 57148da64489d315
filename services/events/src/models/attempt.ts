import { attemptOutcomes } from '@joblisting/contracts';
import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema, Types } from 'mongoose';

/** One document per attempt, for people who look for what went wrong. */
const definition = {
  _id: { type: Schema.Types.ObjectId, required: true },
  webhookId: { type: Number, required: true },
  eventId: { type: String, required: true },
  type: { type: String, required: true },
  at: { type: Date, required: true },
  status: Number,
  durationMs: { type: Number, required: true },
  outcome: { type: String, enum: attemptOutcomes, required: true },
  nextAttemptAt: Date,
  /** By the machine's time, because MongoDB removes by its own, and tests move the service's clock. */
  removeAt: { type: Date, required: true },
} as const;

const schema = new Schema(definition, { ...schemaOptions, collection: 'attempts' });
schema.index({ webhookId: 1, at: -1, _id: -1 }, { name: 'newest' });
schema.index({ removeAt: 1 }, { expireAfterSeconds: 0 });

export type AttemptDocument = InferRawDocType<typeof definition>;

export const newAttemptId = () => new Types.ObjectId();

export const attemptModel = (mongo: Mongo) => mongo.model('Attempt', schema);
