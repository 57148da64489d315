import { mongo } from 'mongoose';

const DUPLICATE_KEY = 11_000;

/** True where a unique index refused a write, alone or in a bulk. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY;
