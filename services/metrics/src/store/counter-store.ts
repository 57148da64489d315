import type { Mongo } from '@joblisting/service-kit';
import type { Types } from 'mongoose';
import { chunksOf, type JobCounts } from '../domain/tally.ts';
import { counterModel } from '../models/counter.ts';
import { dayIds, dayModel } from '../models/day.ts';
import { unsentModel } from '../models/unsent.ts';

/** Marks of transactions, and the jobs that they name. */
export interface Unsent {
  readonly marks: readonly Types.ObjectId[];
  readonly jobIds: readonly number[];
  /** Whether there may be more. */
  readonly isFull: boolean;
}

/** Bounds the marks of one run: one popular job can leave hundreds of thousands while `jobs` is unavailable. */
const MARKS_AT_ONCE = 10_000;
/** Jobs whose days one command removes, thousands at most, so that it ends well within the socket's time-out. */
const FORGOTTEN_AT_ONCE = 20;

export type CounterStore = ReturnType<typeof counterStore>;

/** The totals on their way to `jobs`. */
export function counterStore(mongo: Mongo) {
  const counters = counterModel(mongo);
  const days = dayModel(mongo);
  const unsent = unsentModel(mongo);

  return {
    /** The jobs whose totals must be sent, the longest waiting first, up to this many jobs or marks. */
    findUnsent: async (maxJobs: number, maxMarks = MARKS_AT_ONCE): Promise<Unsent> => {
      const marks: Types.ObjectId[] = [];
      const jobIds = new Set<number>();
      const cursor = unsent.find().sort({ _id: 1 }).limit(maxMarks).lean().cursor({ batchSize: 100 });
      for await (const mark of cursor) {
        marks.push(mark._id);
        for (const jobId of mark.jobIds) jobIds.add(jobId);
        if (jobIds.size >= maxJobs) break;
      }
      const isFull = jobIds.size >= maxJobs || marks.length >= maxMarks;
      return { marks, jobIds: [...jobIds], isFull };
    },

    /** The totals of these jobs; jobs without any are left out. */
    totalsOf: async (jobIds: readonly number[]): Promise<JobCounts[]> => {
      const found = await counters.find({ _id: { $in: [...jobIds] } }).lean();
      return found.map(({ _id, view, application, clickThrough }) => ({
        jobId: _id,
        view,
        application,
        clickThrough,
      }));
    },

    /** Drops the marks of totals that were sent. A transaction since then has a mark of its own. */
    dropMarks: async (marks: readonly Types.ObjectId[]): Promise<void> => {
      await unsent.deleteMany({ _id: { $in: [...marks] } });
    },

    /**
     * Drops the totals and days of deleted jobs; the ledger keeps their event ids until these expire. Resolves to how
     * many had totals. A transaction that counts in between leaves totals and a mark, so the job is forgotten again.
     */
    forget: async (jobIds: readonly number[]): Promise<number> => {
      if (jobIds.length === 0) return 0;
      const { deletedCount } = await counters.deleteMany({ _id: { $in: [...jobIds] } });
      for (const ids of chunksOf(jobIds, FORGOTTEN_AT_ONCE)) {
        await days.deleteMany({ $or: ids.map((jobId) => ({ _id: dayIds(jobId) })) });
      }
      return deletedCount;
    },
  };
}
