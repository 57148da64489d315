import { mongo as driver, type mongo } from 'mongoose';
import { isRetryableRead } from './database-errors.ts';
import { documentReader } from './document-reader.ts';
import { handfuls, inHandfuls } from './handfuls.ts';
import type { Mongo } from './mongo.ts';
import { databaseOf } from './write-command.ts';
import { spanOf } from './telemetry/database-spans.ts';

/** Where documents are looked for, and what of them is wanted. */
export interface Searched {
  readonly mongo: Mongo;
  readonly collection: string;
  readonly projection?: mongo.Document;
}

export interface Search<T> {
  readonly filter: mongo.Filter<T>;
  /** So many match the filter, or fewer: more are not looked for. */
  readonly most: number;
  readonly hint?: string | undefined;
}

export interface Finder<T> {
  /**
   * Finds a few documents by one plain command, and yields them by handfuls, in no order. Reads as the connection does.
   * Rejects after a second attempt, where one at once may help. Where the reply may have been cut off, a cursor
   * finds all of them once more, so some are yielded twice.
   *
   * Worth: a cursor takes 45 to 65 µs of a single read's 490, and 10 of the 95 that each of 32 at once takes.
   */
  readonly some: (search: Search<T>) => AsyncGenerator<T[]>;
  /**
   * Finds one document, or undefined, like `some`: of many that match, any. Worth: without the generators between, a single read's
   * way back is shorter by ten turns of the microtask queue.
   */
  readonly one: (filter: mongo.Filter<T>, hint?: string) => Promise<T | undefined>;
}

/** The database cuts a reply at 16 MB: one of half of it lacks nothing, as no document that is read so has 8 MB. */
const SURELY_WHOLE_BYTES = 8 * 1024 * 1024;
/**
 * The documents stay bytes until their turn comes. None of the other fields of a reply has this name. Not `raw`, which leaves all
 * that is nested in a reply undecoded: in one that tells of a new primary the driver looks for the version of what it knows of its servers.
 */
const undecoded = { fieldsAsRaw: { firstBatch: true } } as const;

/** Finds documents of one collection that are alike. */
export function finder<T extends mongo.Document>(searched: Searched): Finder<T> {
  const { mongo, collection, projection } = searched;
  const { encoded, decoded } = commandFinds<T>(searched);

  /** Returns false where there may be more than there was room for. The bytes are let go of before those are read. */
  async function* byCommand(search: Search<T>): AsyncGenerator<T[], boolean> {
    const found = await encoded(search);
    for (const some of inHandfuls(found)) yield some.map(decoded);
    return found.length === search.most || bytesIn(found) < SURELY_WHOLE_BYTES;
  }

  return {
    some: async function* (search) {
      const isWhole = yield* byCommand(search);
      if (isWhole) return;
      const { filter, most, hint } = search;
      const options = { limit: most, ...(projection && { projection }), ...(hint !== undefined && { hint }) };
      yield* handfuls(mongo.collection<T>(collection).find<T>(filter, options));
    },
    one: async (filter, hint) => {
      const [bytes] = await encoded({ filter, most: 1, hint });
      return bytes && decoded(bytes);
    },
  };
}

/** Finds the bytes of documents, and decodes them: they stay bytes until their turn comes. */
function commandFinds<T>({ mongo, collection, projection }: Searched) {
  const database = databaseOf(mongo);
  const { BSON } = driver;
  const { readConcern, readPreference } = database;
  const { enableUtf8Validation: utf8 = true } = database.bsonOptions;
  const always = {
    singleBatch: true,
    ...(projection && { projection }),
    // A plain command does not take after the connection by itself.
    ...(readConcern && { readConcern: readConcern.toJSON() }),
  };
  const options = { ...undecoded, ...(readPreference && { readPreference }) };

  const once = async ({ filter, most, hint }: Search<T>): Promise<readonly Uint8Array[]> => {
    const find = { find: collection, filter, limit: most, batchSize: most, ...always };
    const command = hint === undefined ? find : { ...find, hint };
    const reply = await spanOf(mongo, 'find', () => database.command(command, options), collection);
    return reply['cursor'].firstBatch as Uint8Array[];
  };

  return {
    encoded: async (search: Search<T>): Promise<readonly Uint8Array[]> => {
      try {
        return await once(search);
      } catch (error) {
        // The driver does so itself with a cursor, but not with a command.
        if (isRetryableRead(error)) return once(search);
        throw error;
      }
    },
    decoded: documentReader((bytes) => BSON.deserialize(bytes, { validation: { utf8 } })) as (
      bytes: Uint8Array,
    ) => T,
  };
}

const bytesIn = (documents: readonly Uint8Array[]): number =>
  documents.reduce((sum, { length }) => sum + length, 0);
