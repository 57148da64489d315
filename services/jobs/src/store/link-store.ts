import type { Mongo } from '@joblisting/service-kit';
import { jobsOf } from './collections.ts';

export type LinkStore = ReturnType<typeof linkStore>;

/** Jobs that have only their fallback address so far. */
export function linkStore(mongo: Mongo) {
  const jobs = jobsOf(mongo);

  return {
    /** Ids above `after`, in order. */
    pending: async (after: number, limit: number): Promise<number[]> => {
      const pending = jobs
        .find({ linkPending: true, _id: { $gt: after } })
        .project<{ _id: number }>({ _id: 1 });
      return (await pending.sort({ _id: 1 }).limit(limit).toArray()).map(({ _id }) => _id);
    },

    /**
     * Gives a job its short address, unless it has one by now. What a reader sees changes, so the version rises.
     * Resolves to false where the job is gone.
     */
    upgrade: async (jobId: number, url: string): Promise<boolean> => {
      const { matchedCount } = await jobs.updateOne(
        { _id: jobId, linkPending: true },
        { $set: { url }, $unset: { linkPending: '' }, $inc: { version: 1 } },
      );
      return matchedCount === 1 || (await jobs.countDocuments({ _id: jobId }, { limit: 1 })) === 1;
    },
  };
}
