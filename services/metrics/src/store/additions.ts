import { inTransaction, type Mongo } from '@joblisting/service-kit';
import type { ClientSession, mongo as driver } from 'mongoose';
import { addUp, type JobCounts } from '../domain/tally.ts';
import { additionsOf, countersOf } from './collections.ts';

export type AdditionStore = ReturnType<typeof additionStore>;

/** What one transaction folds: it must end well within the socket's time-out. */
const TOTALS_AT_ONCE = 1000;
const ROWS_AT_ONCE = 100;

/** Counts of jobs that may wait to be folded, by this replica; then counting waits until they are. */
const MOST_UNFOLDED = 20_000;

const FOLD_LIMIT_MS = 5000;

/**
 * What events add to the totals of jobs. A transaction that counts writes its additions as a row or a few; the
 * rows of many transactions are folded into the totals together, each in the transaction that deletes it.
 *
 * Raising the totals where events are counted met whoever wrote the same totals meanwhile, above all the flush: a
 * fifth to two thirds of the runs were in vain. Rows, and fewer flushes, took MongoDB's time of an event from 41 to 24 us.
 */
export function additionStore(mongo: Mongo) {
  const additions = additionsOf(mongo);
  const counters = countersOf(mongo);
  let unfolded = 0;

  const raise = ({ jobId, ...counts }: JobCounts) => ({
    updateOne: {
      filter: { _id: jobId },
      update: { $inc: counts, $set: { dirty: true as const } },
      upsert: true,
    },
  });

  const foldSome = async (session: ClientSession): Promise<void> => {
    const rows: driver.ObjectId[] = [];
    let sums: JobCounts[] = [];
    for await (const { _id, adds } of additions.find({}, { session }).limit(ROWS_AT_ONCE)) {
      const more = addUp([...sums, ...adds]);
      // What does not fit is left to the next transaction; a row behind it may name the same jobs as the first.
      if (more.length > TOTALS_AT_ONCE) continue;
      sums = more;
      rows.push(_id);
    }
    if (rows.length === 0) return;
    // Rows first: where another replica folds the same ones, this is known before the larger write.
    await additions.deleteMany({ _id: { $in: rows } }, { session });
    await counters.bulkWrite(sums.map(raise), { session });
  };

  /** Folds all that there is. Rejects as `inTransaction` does. */
  const fold = async (): Promise<void> => {
    while (await additions.findOne({}, { projection: { _id: 1 } })) {
      await inTransaction(mongo, Date.now() + FOLD_LIMIT_MS, foldSome);
    }
    unfolded = 0;
  };

  return {
    fold,

    /** Resolves when there is room for more, so that what waits stays bounded however many jobs are counted. */
    makeRoom: async (): Promise<void> => {
      if (unfolded >= MOST_UNFOLDED) await fold();
    },

    /** Writes what a transaction adds. */
    add: async (adds: readonly JobCounts[], session: ClientSession): Promise<void> => {
      unfolded += adds.length;
      const rows = chunksOf(adds, TOTALS_AT_ONCE).map((chunk) => ({ adds: chunk }));
      await additions.insertMany(rows, { session });
    },
  };
}

const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
