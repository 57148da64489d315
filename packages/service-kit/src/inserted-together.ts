import { isDuplicateKey } from './database-errors.ts';
import type { Mongo } from './mongo.ts';
import { writeCommand } from './write-command.ts';

/**
 * Inserts documents that come together by one command. Resolves to those that were inserted: a unique index has a key of
 * the others already. Rejects with whatever else befell one; what was inserted then is unknown.
 */
export function insertedTogether<D extends object>(mongo: Mongo, collection: string) {
  const insert = writeCommand<D>({
    mongo,
    method: 'insert',
    collection,
    bodyOf: (documents) => ({ documents }),
  });

  return async (documents: readonly D[]): Promise<D[]> => {
    const errorOf = await insert(documents);
    return documents.filter((_, index) => {
      const error = errorOf(index);
      if (error !== undefined && !isDuplicateKey(error)) throw error;
      return error === undefined;
    });
  };
}
