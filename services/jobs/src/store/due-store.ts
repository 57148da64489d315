import type { Mongo } from '@joblisting/service-kit';
import { isSamePlace, placeOf } from '../domain/list-place.ts';
import { displayDate, nextTransitionAt, settle } from '../domain/status.ts';
import { atMost } from './at-most.ts';
import { dueIndex, dueOfCompanyIndex, jobsOf } from './collections.ts';
import { inChunks } from './in-chunks.ts';
import { overlapped } from './overlapped.ts';
import {
  movedFields,
  type TimelineDocument,
  timelineFields,
  toEventOfAny,
  toTimeline,
} from './job-document.ts';

export type DueStore = ReturnType<typeof dueStore>;

/** Jobs of one version that become the same, with the update that makes them so. */
interface Alike {
  readonly version: number;
  readonly update: object[];
}

/**
 * Of one process. At a noon many companies may be asked for at once, whose runs go on when nobody waits any more: more
 * writes would take the connections of all other requests.
 */
const WRITES_AT_ONCE = 4;

/**
 * Jobs whose next transition has come.
 *
 * Jobs that become the same are settled by one statement. Worth: one statement a job cost the database 278 µs a job,
 * this costs 150; an updateMany without any condition costs 105.
 */
export function dueStore(mongo: Mongo) {
  const jobs = jobsOf(mongo);
  const inTurn = atMost(WRITES_AT_ONCE);

  /** Whatever differs between jobs and need not be known, like their ids and closing dates, is named by its field. */
  const settled = (stored: TimelineDocument, now: number): Alike => {
    const before = toTimeline(stored);
    const { job, passed } = settle(before, now);
    const next = nextTransitionAt(job);
    const events = passed.map((transition) => toEventOfAny(transition, now));
    const set = {
      statusId: job.statusId,
      version: job.version,
      displayDate: displayDate(job),
      // Written even where no transition has passed, so that no job stays due for ever.
      nextTransitionAt: nextInstant(next, stored),
      ...(!isSamePlace(placeOf(before), placeOf(job)) && movedFields),
      ...(events.length > 0 && { events: { $concatArrays: [{ $ifNull: ['$events', []] }, events] } }),
    };
    return { version: stored.version, update: [{ $set: set }] };
  };

  /** Does nothing for a job that a request or another replica has changed since it was found. */
  const settleAlike = (some: readonly TimelineDocument[], { version, update }: Alike) => ({
    updateMany: { filter: { _id: { $in: some.map(({ _id }) => _id) }, version }, update },
  });

  /** What is decided once for all of one timeline is the most of this process's share in a noon. */
  const settleAll = (found: readonly TimelineDocument[], now: number) => {
    const alike = new Map<string, { some: TimelineDocument[]; as: Alike }>();
    for (const ofOneTimeline of Map.groupBy(found, timelineKey).values()) {
      const as = settled(ofOneTimeline[0] as TimelineDocument, now);
      const key = JSON.stringify(as);
      const known = alike.get(key);
      if (known) known.some.push(...ofOneTimeline);
      else alike.set(key, { some: ofOneTimeline, as });
    }
    return [...alike.values()].map(({ some, as }) => settleAlike(some, as));
  };

  return {
    /** Whether a transition has come that is not stored yet. */
    isDue: async (now: number): Promise<boolean> => {
      const due = { nextTransitionAt: { $lte: new Date(now) } };
      return (await jobs.findOne(due, { projection: { _id: 1 } })) !== null;
    },

    /**
     * Stores the transitions that have come, of one company or of all, `size` jobs at a time, and tells of how many
     * jobs it did so. It does no more than it is asked for. What becomes due meanwhile may be left.
     */
    settle: async function* (
      companyId: number | undefined,
      now: number,
      size: number,
    ): AsyncGenerator<number> {
      const due = { nextTransitionAt: { $lte: new Date(now) } };
      // Named, as either would do: the other one holds what is due of all companies, and was a moment ago.
      const found = (
        companyId === undefined
          ? jobs.find(due, { hint: dueIndex })
          : jobs.find({ companyId, ...due }, { hint: dueOfCompanyIndex })
      )
        .project<TimelineDocument>(timelineFields)
        .batchSize(size);
      yield* overlapped(inChunks(found, size), async (chunk) => {
        await inTurn(() => jobs.bulkWrite(settleAll(chunk, now), { ordered: false }));
        return chunk.length;
      });
    },
  };
}

const timelineKey = ({ statusId, version, publishAt, closeAt }: TimelineDocument): string =>
  `${statusId}/${version}/${publishAt.getTime()}/${closeAt?.getTime()}`;

/** Most jobs that are published at one noon are closed at different ones. */
const nextInstant = (next: number | null, { closeAt }: TimelineDocument) => {
  if (next === null) return '$$REMOVE';
  return next === closeAt?.getTime() ? '$closeAt' : new Date(next);
};
