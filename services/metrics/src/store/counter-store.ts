import type { Mongo } from '@joblisting/service-kit';
import type { JobCounts } from '../domain/tally.ts';
import { counterModel } from '../models/counter.ts';

export type CounterStore = ReturnType<typeof counterStore>;

/** The totals on their way to `jobs`. */
export function counterStore(mongo: Mongo) {
  const counters = counterModel(mongo);

  return {
    /** The changed totals with a job id above `after`, in the order of job ids. */
    changed: async (after: number, limit: number): Promise<JobCounts[]> => {
      const found = await counters
        .find({ dirty: true, _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return found.map(({ _id, view, application, clickThrough }) => ({
        jobId: _id,
        view,
        application,
        clickThrough,
      }));
    },

    /** Marks these totals as sent. Totals only grow: one that changed meanwhile does not match and stays dirty. */
    markSent: async (totals: readonly JobCounts[]): Promise<void> => {
      if (totals.length === 0) return;
      await counters.bulkWrite(
        totals.map(({ jobId, ...counts }) => ({
          updateOne: { filter: { _id: jobId, ...counts }, update: { $unset: { dirty: true } } },
        })),
        { ordered: false },
      );
    },

    /** Drops the totals of deleted jobs; the ledger keeps their event ids until these expire. Resolves to how many. */
    forget: async (jobIds: readonly number[]): Promise<number> => {
      if (jobIds.length === 0) return 0;
      const { deletedCount } = await counters.deleteMany({ _id: { $in: [...jobIds] } });
      return deletedCount;
    },
  };
}
