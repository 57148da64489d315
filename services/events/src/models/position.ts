import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

/** One document per stream: up to which message it is in the log. */
const definition = {
  /** The stream. */
  _id: { type: String, required: true },
  /** When the stream was created; empty before the first reading. */
  createdAt: { type: String, default: '' },
  /** The number of the last message that is in the log. */
  seq: { type: Number, required: true },
  /** The id of that message; absent if it had none, or had left the stream. */
  messageId: String,
} as const;

const schema = new Schema(definition, { ...schemaOptions, collection: 'positions' });

export type PositionDocument = InferRawDocType<typeof definition>;

export const positionModel = (mongo: Mongo) => mongo.model('Position', schema);
