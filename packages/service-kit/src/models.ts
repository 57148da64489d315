import type { mongo } from 'mongoose';
import type { Mongo } from './mongo.ts';

/** Options of every schema: a field that the schema does not name is an error, in a write as in a filter. */
export const schemaOptions = {
  versionKey: false,
  id: false,
  minimize: false,
  strict: 'throw',
  strictQuery: 'throw',
} as const;

/** The part of a Mongoose model that `prepareModels` uses. */
interface Preparable {
  readonly createCollection: () => Promise<unknown>;
  readonly syncIndexes: () => Promise<unknown>;
}

/**
 * Makes the collections and indexes that the schemas name, and drops indexes that they do not. A service must not work
 * before this has resolved: uniqueness depends on the indexes.
 */
export async function prepareModels(models: readonly Preparable[]): Promise<void> {
  for (const model of models) {
    await model.createCollection();
    await model.syncIndexes();
  }
}

/** The driver's own database, for commands that models do not have. */
export function databaseOf({ db }: Mongo): mongo.Db {
  if (!db) throw new Error('The connection has no database yet.');
  return db;
}
