import { schemaOptions, type StoredAnswer } from '@joblisting/service-kit';
import { keptAnswerFields } from '@joblisting/service-kit/mongo';
import { Schema } from 'mongoose';

/** The answer to a request with an Idempotency-Key, inside what the request made. */
export const keptAnswerSchema = new Schema<StoredAnswer>(keptAnswerFields, { ...schemaOptions, _id: false });

/** A key is used once: of many requests with one key, one makes a job. */
export const keyIndex = [
  { 'idempotency.key': 1 },
  {
    name: 'idempotency_key',
    unique: true,
    partialFilterExpression: { 'idempotency.key': { $exists: true } },
  },
] as const;

/** For forgetting answers that have expired. */
export const expiryIndex = [
  { 'idempotency.expireAt': 1 },
  { name: 'idempotency_expiry', partialFilterExpression: { 'idempotency.expireAt': { $exists: true } } },
] as const;
