import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';
import type { StoredKey, StoredSecret } from '../domain/key.ts';

/** Times are numbers in epoch milliseconds; null: never. */
export interface KeyDocument extends Omit<StoredKey, 'id'> {
  readonly _id: number;
  /** Rises with each change of the secrets. */
  readonly rotation: number;
}

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

/** One document per key, of a consumer or a user, with the SHA-256 of its secrets. */
const schema = new Schema<KeyDocument>(
  {
    _id: { type: Number, required: true },
    rotation: { type: Number, required: true },
    kind: { type: String, enum: ['consumer', 'user'], required: true },
    name: { type: String, required: true },
    scopes: [String],
    companyIds: [Number],
    readsPerMinute: Number,
    writesPerMinute: Number,
    secrets: [secretSchema],
    expiresAt: Number,
    revokedAt: Number,
  },
  { ...schemaOptions, collection: 'keys' },
);
schema.index({ 'secrets.hash': 1 }, { unique: true });

export const keyModel = (mongo: Mongo) => mongo.model<KeyDocument>('Key', schema);
