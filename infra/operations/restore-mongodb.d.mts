import type { mongo } from 'mongoose';

export interface RestoreOptions {
  /** Removes existing data. */
  readonly drop?: boolean;
  /** How many ids to skip in each sequence. */
  readonly idsAhead?: number;
}

/** Restores a backup into empty databases. Returns the number of documents per collection. */
export function restore(
  client: mongo.MongoClient,
  folder: string,
  options?: RestoreOptions,
): Promise<Readonly<Record<string, number>>>;
