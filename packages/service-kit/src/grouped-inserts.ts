import { ServiceError } from '@joblisting/contracts';
import type { mongo } from 'mongoose';
import { isBulkError, isDuplicateKey } from './database-errors.ts';
import { driver } from './driver.ts';
import { inGroups } from './in-groups.ts';

/** `taken`: a unique index has one of the document's keys already. `late`: it was not sent in time, and is not there. */
export type Inserted = 'done' | 'taken' | 'late';

interface GroupedInsertsOptions<D> {
  readonly collection: Inserts<D>;
  /** Others do not wait for a large document: it has a statement of its own. A statement has room for 48 MB. */
  readonly isLarge?: (document: D) => boolean;
}

interface Waiting<D> {
  readonly document: D;
  readonly commitBy: number;
  readonly resolve: (inserted: Inserted) => void;
  readonly reject: (error: unknown) => void;
}

type Inserts<D> = Pick<mongo.Collection<D & mongo.Document>, 'insertOne' | 'insertMany'>;

/**
 * Inserts documents, those that come in one turn of the event loop, or while an insert is under way, by one statement.
 * Each has an outcome of its own, and is in the majority's journal like by any other write. Where the database breaks
 * off, the outcome of all of a group is unknown.
 *
 * Worth: with 32 new jobs at once, the driver and the database do a third of the work for each.
 */
export function groupedInserts<D extends { readonly _id: unknown }>({
  collection,
  isLarge = () => false,
}: GroupedInsertsOptions<D>) {
  const insert = async (some: readonly Waiting<D>[]): Promise<void> => {
    const now = Date.now();
    const group = some.filter(({ commitBy }) => commitBy > now);
    for (const { commitBy, resolve } of some) if (commitBy <= now) resolve('late');
    if (group.length === 0) return;
    const documents = group.map(({ document }) => document);
    const refusals = await refusalsOf(collection, documents).catch((error: unknown) => () => error);
    for (const [index, { resolve, reject }] of group.entries()) {
      const error = refusals(index);
      if (error === undefined) resolve('done');
      else if (isDuplicateKey(error)) resolve('taken');
      else reject(error);
    }
  };
  const add = inGroups(insert);

  /** @param commitBy epoch milliseconds: it is not sent any more from then on */
  return (document: D, commitBy: number): Promise<Inserted> =>
    new Promise((resolve, reject) => {
      const one = { document, commitBy, resolve, reject };
      if (isLarge(document)) void insert([one]);
      else add(one);
    });
}

type Refusals = (index: number) => unknown;

/** Why each was refused, by its place in the group. Rejects with what befell all of them. */
async function refusalsOf<D>(collection: Inserts<D>, some: readonly D[]): Promise<Refusals> {
  const documents = some as readonly mongo.OptionalUnlessRequiredId<D & mongo.Document>[];
  const [first] = documents;
  try {
    if (first && documents.length === 1) await collection.insertOne(first);
    else await collection.insertMany(documents, { ordered: false });
    return () => undefined;
  } catch (error) {
    if (!isBulkError(error)) throw error;
    const refused = [error.writeErrors].flat();
    const isUnsafe = error.result.getWriteConcernError() !== undefined;
    const unsafe = isUnsafe ? new ServiceError('deadline_exceeded', undefined, { cause: error }) : undefined;
    // One statement is sent whole or not at all, so what the driver says of it holds for all.
    if (refused.length === 0) throw unsafe ?? error.errorResponse;
    const { MongoServerError } = driver();
    const byIndex = new Map(refused.map((one) => [one.index, new MongoServerError(one.err)]));
    return (index) => byIndex.get(index) ?? unsafe;
  }
}
