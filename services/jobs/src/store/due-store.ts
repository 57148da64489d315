import type { Mongo } from '@joblisting/service-kit';
import { dueTransitions, nextTransitionAt } from '../domain/status.ts';
import { jobModel } from '../models/job.ts';
import { timelineFields, type TimelineDocument, toTimeline, transitionUpdate } from './job-document.ts';

export type DueStore = ReturnType<typeof dueStore>;

/** A chunk must end well within the socket's time-out. */
const CHUNK = 1000;

/** Jobs whose next transition is due. `now` in epoch milliseconds. */
export function dueStore(mongo: Mongo) {
  const jobs = jobModel(mongo);
  const dueAt = (now: number) => ({ nextTransitionAt: { $lte: new Date(now) } });

  return {
    /** The company of the job that has been due for longest; undefined if none is. */
    dueCompany: async (now: number): Promise<number | undefined> => {
      const found = await jobs
        .findOne(dueAt(now), { companyId: 1 })
        .sort({ nextTransitionAt: 1 })
        .lean<{ companyId: number }>();
      return found?.companyId;
    },

    /**
     * Stores one transition of each of up to `CHUNK` due jobs of a company. Skips jobs that another writer changes
     * first. Resolves to how many jobs were found due.
     */
    storeSome: async (companyId: number, now: number): Promise<number> => {
      const due = await jobs
        .find({ companyId, ...dueAt(now) }, timelineFields)
        .sort({ companyId: 1, nextTransitionAt: 1 })
        .limit(CHUNK)
        .lean<TimelineDocument[]>();
      const byTimeline = Map.groupBy(due, timelineKey);
      const writes = [...byTimeline.values()].map((group) => updateOf(companyId, group, now));
      if (writes.length > 0) await jobs.bulkWrite(writes, { ordered: false });
      return due.length;
    },
  };
}

const timelineKey = ({ statusId, version, publishAt, closeAt }: TimelineDocument): string =>
  `${statusId}/${version}/${publishAt.getTime()}/${closeAt?.getTime()}`;

/** One write for all jobs of one timeline. */
function updateOf(companyId: number, group: readonly TimelineDocument[], now: number) {
  const [first] = group as [TimelineDocument];
  const { statusId, version } = first;
  const timeline = { ...toTimeline(first), companyId };
  const [transition] = dueTransitions(timeline, now);
  const filter = { _id: { $in: group.map(({ _id }) => _id) }, statusId, version };
  const update = transition ? transitionUpdate(timeline, transition) : correction(nextTransitionAt(timeline));
  return { updateMany: { filter, update } };
}

/** For an instant that does not follow from the dates: otherwise the job would stay due for ever. */
const correction = (next: number | null) =>
  next === null
    ? { $unset: { nextTransitionAt: '' as const } }
    : { $set: { nextTransitionAt: new Date(next) } };
