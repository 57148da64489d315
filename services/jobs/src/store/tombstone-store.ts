import { inTransaction, type Mongo } from '@joblisting/service-kit';
import type { Job } from '../domain/job.ts';
import type { Transition } from '../domain/status.ts';
import { jobsOf, tombstonesOf } from './collections.ts';
import { toEvents } from './job-document.ts';

export type TombstoneStore = ReturnType<typeof tombstoneStore>;

/** How long a tombstone stays once its job is cleaned up everywhere. */
const KEPT_MS = 25 * 3600_000;

/** Deleted jobs, until nothing is left of them in other services. */
export function tombstoneStore(mongo: Mongo) {
  const jobs = jobsOf(mongo);
  const tombstones = tombstonesOf(mongo);

  return {
    /**
     * Deletes the job if it is still stored at `version`, and leaves a tombstone with the transitions that are
     * still to be published, those `passed` among them, in one transaction. Resolves to whether it did.
     * @param now epoch milliseconds
     */
    bury: (stored: Job, passed: readonly Transition[], now: number, deadline: number): Promise<boolean> =>
      inTransaction(mongo, deadline, async (session) => {
        const { id, version, company } = stored;
        const projection = { events: 1 } as const;
        const found = await jobs.findOneAndDelete({ _id: id, version }, { projection, session });
        if (!found) return false;
        const events = [...(found.events ?? []), ...toEvents(id, passed, now)];
        await tombstones.insertOne(
          {
            _id: id,
            companyId: company.id,
            deletedAt: new Date(now),
            cleaning: true,
            ...(events.length > 0 && { events }),
          },
          { session },
        );
        return true;
      }),

    /** Jobs that are still to be cleaned up, the oldest first. */
    uncleaned: async (limit: number): Promise<number[]> => {
      const found = await tombstones
        .find({ cleaning: true })
        .project<{ _id: number }>({ _id: 1 })
        .sort({ deletedAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },

    /** @param now epoch milliseconds */
    markCleaned: async (jobIds: readonly number[], now: number): Promise<void> => {
      await tombstones.updateMany(
        { _id: { $in: [...jobIds] } },
        { $unset: { cleaning: '' }, $set: { expireAt: new Date(now + KEPT_MS) } },
      );
    },
  };
}
