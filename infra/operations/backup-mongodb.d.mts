import type { mongo } from 'mongoose';

/** Backs up the services' databases into a new folder. `at` is the moment, `counts` the documents per collection. */
export function backUp(
  client: mongo.MongoClient,
  folder: string,
): Promise<{ readonly at: string; readonly counts: Readonly<Record<string, number>> }>;
