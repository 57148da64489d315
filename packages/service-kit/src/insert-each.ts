import { mongo as driver } from 'mongoose';

/** The result for a document. `duplicate`: another one has its value in a unique index. */
export type Inserted = 'done' | 'duplicate';

/** The part of a Mongoose model that this uses. */
interface Insertable<D> {
  readonly insertMany: (documents: D[], options: { ordered: false; lean: true }) => Promise<unknown>;
}

const DUPLICATE_KEY = 11_000;

/**
 * Inserts documents in one write. Resolves to the result for each, in their order: an Error if it was refused, or if it
 * is unknown whether it is durable. Rejects if nothing is known about any of them.
 */
export async function insertEach<D>(
  model: Insertable<D>,
  documents: readonly D[],
): Promise<(Inserted | Error)[]> {
  try {
    if (documents.length > 0) await model.insertMany([...documents], { ordered: false, lean: true });
    return documents.map(() => 'done');
  } catch (error) {
    if (!(error instanceof driver.MongoBulkWriteError)) throw error;
    const refused = new Map([error.writeErrors].flat().map((one) => [one.index, one.code]));
    const isUnknown = refused.size === 0 || error.result.getWriteConcernError() !== undefined;
    return documents.map((_document, index) => {
      if (refused.has(index)) return refused.get(index) === DUPLICATE_KEY ? 'duplicate' : error;
      return isUnknown ? error : 'done';
    });
  }
}
