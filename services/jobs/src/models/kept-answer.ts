import { schemaOptions, type StoredAnswer } from '@joblisting/service-kit';
import { keptAnswerFields } from '@joblisting/service-kit/mongo';
import { Schema } from 'mongoose';

/** The answer to a request with an Idempotency-Key, embedded in the document that the request created. */
export const keptAnswerSchema = new Schema<StoredAnswer>(keptAnswerFields, { ...schemaOptions, _id: false });

/** A key is used once: of many requests with one key, one creates a job. */
export const keyIndex = [
  { 'idempotency.key': 1 },
  {
    name: 'idempotency_key',
    unique: true,
    partialFilterExpression: { 'idempotency.key': { $exists: true } },
  },
] as const;

/** For the task that drops expired answers. */
export const expiryIndex = [
  { 'idempotency.expireAt': 1 },
  { name: 'idempotency_expiry', partialFilterExpression: { 'idempotency.expireAt': { $exists: true } } },
] as const;
