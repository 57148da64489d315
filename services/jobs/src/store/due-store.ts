import type { Mongo } from '@joblisting/service-kit';
import { displayDate, nextTransitionAt, settle } from '../domain/status.ts';
import { jobsOf } from './collections.ts';
import { moving, type TimelineDocument, timelineFields, toEvents, toTimeline } from './job-document.ts';

export type DueStore = ReturnType<typeof dueStore>;

/** Jobs whose next transition has come. */
export function dueStore(mongo: Mongo) {
  const jobs = jobsOf(mongo);

  /**
   * One conditional write for a job: it does nothing where a request or another replica was faster. The next
   * instant is written even where no transition has passed, so that no job stays due for ever.
   */
  const settleOne = (stored: TimelineDocument, now: number) => {
    const before = toTimeline(stored);
    const { job, passed } = settle(before, now);
    const next = nextTransitionAt(job);
    const set = { statusId: job.statusId, version: job.version, displayDate: displayDate(job) };
    return {
      updateOne: {
        filter: { _id: stored._id, version: stored.version },
        update: {
          $set: next === null ? set : { ...set, nextTransitionAt: new Date(next) },
          ...moving(before, job),
          ...(next === null && { $unset: { nextTransitionAt: '' as const } }),
          ...(passed.length > 0 && { $push: { events: { $each: toEvents(stored._id, passed, now) } } }),
        },
      },
    };
  };

  return {
    /** Whether a transition has come that is not stored yet. */
    isDue: async (now: number): Promise<boolean> => {
      const due = { nextTransitionAt: { $lte: new Date(now) } };
      return (await jobs.findOne(due, { projection: { _id: 1 } })) !== null;
    },

    /**
     * Stores the transitions that have come, of one company or of all, of at most `limit` jobs.
     * Resolves to the number of jobs that were due: as many as `limit` means that there may be more.
     */
    settle: async (companyId: number | undefined, now: number, limit: number): Promise<number> => {
      const due = { nextTransitionAt: { $lte: new Date(now) } };
      const found = await jobs
        .find(companyId === undefined ? due : { companyId, ...due })
        .project<TimelineDocument>(timelineFields)
        .limit(limit)
        .toArray();
      if (found.length > 0)
        await jobs.bulkWrite(
          found.map((stored) => settleOne(stored, now)),
          { ordered: false },
        );
      return found.length;
    },
  };
}
