import type { Clock, Mongo } from '@joblisting/service-kit';
import { nextVersion } from '../domain/job-change.ts';
import { jobModel } from '../models/job.ts';
import { type JobStore, WriteConflict } from './job-store.ts';

export type LinkStore = ReturnType<typeof linkStore>;

/** Jobs that have only their fallback address so far. */
export function linkStore(mongo: Mongo, jobs: JobStore, clock: Clock) {
  return {
    /** Ids above `after`, in order. */
    pending: async (after: number, limit: number): Promise<number[]> => {
      const found = await jobModel(mongo)
        .find({ linkPending: true, _id: { $gt: after } }, { _id: 1 })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return found.map(({ _id }) => _id);
    },

    /**
     * Gives a job its short address, unless it has one by now. Readers see the change, so the version rises. Resolves
     * to false if the job was deleted. If another writer changes the job meanwhile, it keeps its fallback address.
     */
    upgrade: async (jobId: number, url: string): Promise<boolean> => {
      const stored = await jobs.find(jobId, Infinity);
      if (!stored?.linkPending) return stored !== undefined;
      const now = clock.now();
      try {
        const before = await jobs.storeDueTransitions(stored, now, Infinity);
        const next = nextVersion(before, { ...before, url, linkPending: false }, now, {});
        if (next) await jobs.replace(before, next.job, { change: next.change, commitBy: Infinity });
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error;
      }
      return true;
    },
  };
}
