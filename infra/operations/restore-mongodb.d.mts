import type { mongo } from 'mongoose';

export interface RestoreOptions {
  /** Removes what is there. */
  readonly drop?: boolean;
  /** How many ids to leave out of each sequence. */
  readonly idsAhead?: number;
}

/** Puts a backup back, into empty databases. Answers how many documents came back, by collection. */
export function restore(
  client: mongo.MongoClient,
  folder: string,
  options?: RestoreOptions,
): Promise<Readonly<Record<string, number>>>;
