import { scopes } from '@joblisting/contracts';
import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';
import type { StoredSecret } from '../domain/key.ts';

const secretSchema = new Schema<StoredSecret>(
  {
    hash: { type: String, required: true },
    lastFour: { type: String, required: true },
    createdAt: { type: Number, required: true },
    expiresAt: Number,
    lastUsedAt: Number,
  },
  { ...schemaOptions, _id: false },
);

/**
 * One document per key, of a consumer or a user, with the SHA-256 of its secrets. Times are numbers in epoch
 * milliseconds; null: never.
 */
const fields = {
  _id: { type: Number, required: true },
  /** Rises with each change of the secrets. */
  rotation: { type: Number, required: true },
  kind: { type: String, enum: ['consumer', 'user'], required: true },
  name: { type: String, required: true },
  scopes: { type: [String], enum: scopes, required: true },
  companyIds: { type: [Number], required: true },
  readsPerMinute: { type: Number },
  writesPerMinute: { type: Number },
  secrets: { type: [secretSchema], required: true },
  expiresAt: { type: Number },
  revokedAt: { type: Number },
} as const;

type Fields = InferRawDocType<typeof fields>;
/** Null where a key has none, never absent, which a schema cannot say. */
type Nullable = Required<Pick<Fields, 'readsPerMinute' | 'writesPerMinute' | 'expiresAt' | 'revokedAt'>>;

export type KeyDocument = Omit<Fields, keyof Nullable> & Nullable;

const schema = new Schema<KeyDocument>(fields, { ...schemaOptions, collection: 'keys' });
schema.index({ 'secrets.hash': 1 }, { unique: true });

export const keyModel = (mongo: Mongo) => mongo.model<KeyDocument>('Key', schema);
