import { mongo as driver, type mongo } from 'mongoose';
import type { Mongo } from './mongo.ts';
import { spanOf } from './telemetry/database-spans.ts';

/** The command of the database that writes several: `method`, and what `bodyOf` says. It has room for 16 MB. */
export interface WriteCommand<T> {
  readonly mongo: Mongo;
  readonly method: 'insert' | 'update';
  readonly collection: string;
  readonly bodyOf: (some: readonly T[]) => mongo.Document;
}

/** Why each was refused, by its place among all; undefined for what is written. */
export type ErrorOf = (index: number) => unknown;

/** Each is tried, whatever becomes of the others. */
const MAJORITY = { ordered: false, writeConcern: { w: 'majority', j: true } };

/** Writes all by one command. Rejects where the database breaks off: the outcome of all is unknown then. */
export const writeCommand =
  <T>({ mongo, method, collection, bodyOf }: WriteCommand<T>) =>
  async (all: readonly T[]): Promise<ErrorOf> => {
    const command = { [method]: collection, ...bodyOf(all), ...MAJORITY };
    try {
      return errorsIn(await spanOf(mongo, method, () => databaseOf(mongo).command(command), collection));
    } catch (error) {
      // The majority may not have what was written: of those that were refused, that is known all the same.
      if (error instanceof driver.MongoWriteConcernError) return errorsIn(error.result, error);
      throw error;
    }
  };

/** @param others what befell those that were not refused */
function errorsIn({ writeErrors = [] }: mongo.Document, others?: unknown): ErrorOf {
  const refused = writeErrors as readonly { readonly index: number }[];
  const { MongoServerError } = driver;
  const byIndex = new Map(refused.map((one) => [one.index, new MongoServerError(one)]));
  return (index) => byIndex.get(index) ?? others;
}

/** The driver's own database, for plain commands. */
export function databaseOf({ db }: Mongo): mongo.Db {
  if (!db) throw new Error('The connection has no database yet.');
  return db;
}
