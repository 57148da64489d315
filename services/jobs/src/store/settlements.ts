import { type Mongo, readDurably } from '@joblisting/service-kit';
import { mongo as driver } from 'mongoose';
import { displayDate, nextTransitionAt, settle, type Transition } from '../domain/status.ts';
import { allEnded } from './all-ended.ts';
import { atMost } from './at-most.ts';
import { isAnyIn } from './is-any.ts';
import { jobsOf, settlementsName, settlementsOf, tombstonesOf } from './collections.ts';
import {
  type JobDocument,
  type SettlementId,
  type StoredTimeline,
  type TimelineDocument,
  toTimeline,
} from './job-document.ts';
import { jobIdsOf, type SettledGroup, type SettlementDocument } from './settlement-document.ts';

/** A job with a transition that has come. */
export type DueJob = TimelineDocument & Pick<JobDocument, 'companyId' | 'settledBy'>;

/**
 * Of one process. Two are a tenth faster, and cost the reads beside them more: p99 at a noon of 60,000 jobs on two cores
 * was 76 ms with two and 66 with one.
 */
const UPDATES_AT_ONCE = 1;

/** So few jobs do not wait for their turn behind a thousand. */
const FEW = 50;
/** Of those that were left behind, at a time: each may be of a thousand jobs. */
const MOST_LEFT = 20;

/** What becomes of a job, without what names the job itself. */
interface Outcome {
  readonly set: object;
  readonly passed: readonly Transition[];
}

/**
 * Stores transitions of many jobs, and with them that they are to be published: both or neither.
 *
 * First the settlement is written down, with its jobs. Then each of them is settled by compare-and-set on its version,
 * and bears the settlement's id from then on, wherever it goes. Then the settlement is closed: by now no job can be
 * settled by it any more, and those without its id are lost to it. Whoever finds an open one takes the last two steps
 * again, which do no harm twice. So a process may end anywhere, and a transition is published if, and only if, it was
 * stored.
 *
 * Worth: an event in each job, which is taken out of it again once it is published, is a second write of each job. It
 * cost the database 43 of 133 µs. One transaction would be simpler, but for each write in one MongoDB 6 reads the
 * definition of every index of the collection: 230 µs a job.
 */
export function settlements(mongo: Mongo) {
  const jobs = jobsOf(mongo);
  const stored = settlementsOf(mongo);
  const isAny = isAnyIn<SettlementDocument>(mongo, settlementsName);
  const holders = [jobs, tombstonesOf(mongo)] as const;
  const inTurn = atMost(UPDATES_AT_ONCE);
  const failed = new Set<SettlementDocument>();
  /** Hexadecimal ids of those that were open at the last look. */
  let openBefore = new Set<string>();

  const settleGroup = ({ _id, recordedAt }: SettlementDocument, group: SettledGroup) => ({
    updateMany: {
      filter: { _id: { $in: jobIdsOf(group) }, version: group.timeline.version },
      update: [{ $set: { ...outcomeOf(group.timeline, recordedAt.getTime()).set, settledBy: _id } }],
    },
  });

  /**
   * Jobs before tombstones: one that is deleted meanwhile is found in either. What others wrote a moment ago may be
   * undone where the primary fails: what follows from it must not be known to the next one.
   */
  const lostOf = async (settlementId: SettlementId, ids: readonly number[]): Promise<number[]> => {
    const settled = new Set<number>();
    for (const collection of holders) {
      const found = await readDurably(mongo, (options) =>
        collection
          .find({ _id: { $in: [...ids] }, settledBy: settlementId }, options)
          .project<{ _id: number }>({ _id: 1 })
          .toArray(),
      );
      for (const { _id } of found ?? []) settled.add(_id);
    }
    return ids.filter((id) => !settled.has(id));
  };

  const close = async (settlementId: SettlementId, lost: readonly number[]): Promise<void> => {
    const change = { $unset: { open: '' }, ...(lost.length > 0 && { $set: { lost } }) } as const;
    await stored.updateOne({ _id: settlementId, open: true }, change);
  };

  const finish = async (settlement: SettlementDocument): Promise<void> => {
    const { _id } = settlement;
    const ids = settlement.groups.flatMap(jobIdsOf);
    const writes = settlement.groups.map((group) => settleGroup(settlement, group));
    const write = () => jobs.bulkWrite(writes, { ordered: false });
    const { matchedCount } = await (ids.length < FEW ? write() : inTurn(write));
    const lost = matchedCount === ids.length ? [] : await lostOf(_id, ids);
    if (lost.length === ids.length) await stored.deleteOne({ _id, open: true });
    else await close(_id, lost);
  };

  const finishAll = (open: readonly SettlementDocument[]): Promise<void> => allEnded(open.map(finish));

  /** A job bears one settlement's id: what became of that one must be known before the next one takes its place. */
  const finishEarlier = async (found: readonly DueJob[]): Promise<void> => {
    const earlier = new Map(
      found.flatMap(({ settledBy }) => (settledBy ? [[settledBy.toHexString(), settledBy]] : [])),
    );
    if (earlier.size === 0) return;
    const ids = { $in: [...earlier.values()] };
    const open = await readDurably(mongo, (options) =>
      stored.find({ _id: ids, open: true }, options).toArray(),
    );
    await finishAll(open ?? []);
  };

  return {
    /**
     * Settles jobs that were found due at `now`, epoch milliseconds, but for those that someone else changes first.
     * Where that fails, the next call begins with it: a database that is slow is not to get one settlement more each
     * time.
     */
    settle: async (due: readonly DueJob[], now: number): Promise<void> => {
      const again = [...failed];
      await finishAll(again);
      for (const one of again) failed.delete(one);
      const found = onceEach(due);
      await finishEarlier(found);
      const recordedAt = new Date(now);
      const groups = groupsOf(found, now);
      const settlement = { _id: new driver.ObjectId(), recordedAt, groups, open: true as const };
      await stored.insertOne(settlement);
      try {
        await finish(settlement);
      } catch (error) {
        failed.add(settlement);
        throw error;
      }
    },

    /** Finishes what was open at the last call already: whoever began it may be gone. */
    finishLeft: async (): Promise<void> => {
      const isAnyOpen = await isAny({ open: true });
      const open = isAnyOpen ? await stored.find({ open: true }).limit(MOST_LEFT).toArray() : [];
      const left = open.filter(({ _id }) => openBefore.has(_id.toHexString()));
      openBefore = new Set(open.map(({ _id }) => _id.toHexString()));
      await finishAll(left);
    },
  };
}

/**
 * What a settlement makes of a job, and which transitions it tells of: asked when it is settled, and again when it is
 * told, maybe by a later release, so the rule for a timeline must not change while settlements wait. Whatever differs
 * between jobs and need not be known, like their closing dates, is named by its field.
 * @param now epoch milliseconds
 */
export function outcomeOf(stored: StoredTimeline, now: number): Outcome {
  const before = toTimeline(stored);
  const { job, passed } = settle(before, now);
  const set = {
    statusId: job.statusId,
    version: job.version,
    displayDate: displayDate(job),
    // Written even where no transition has passed, so that no job stays due for ever.
    nextTransitionAt: nextInstant(nextTransitionAt(job), stored),
    ...(job.statusId !== before.statusId && { uncounted: true }),
  };
  return { set, passed };
}

/** A cursor may come by a job again that someone has moved in its index meanwhile: the last one is the newest. */
const onceEach = (found: readonly DueJob[]): DueJob[] => [
  ...new Map(found.map((job) => [job._id, job])).values(),
];

/** What is decided once for all of one timeline is the most of this process's share in a noon. */
function groupsOf(found: readonly DueJob[], now: number): SettledGroup[] {
  const alike = new Map<string, { timeline: StoredTimeline; some: DueJob[] }>();
  for (const ofOneTimeline of Map.groupBy(found, timelineKey).values()) {
    const [{ statusId, version, publishAt, closeAt }] = ofOneTimeline as [DueJob];
    const timeline = { statusId, version, publishAt, closeAt };
    const key = JSON.stringify([version, outcomeOf(timeline, now)]);
    const known = alike.get(key);
    if (known) known.some.push(...ofOneTimeline);
    else alike.set(key, { timeline, some: ofOneTimeline });
  }
  return [...alike.values()].map(({ timeline, some }) => ({ timeline, members: membersOf(some) }));
}

const membersOf = (some: readonly DueJob[]) =>
  [...Map.groupBy(some, ({ companyId }) => companyId)].map(([companyId, ofCompany]) => ({
    companyId,
    jobIds: ofCompany.map(({ _id }) => _id),
  }));

const timelineKey = ({ statusId, version, publishAt, closeAt }: StoredTimeline): string =>
  `${statusId}/${version}/${publishAt.getTime()}/${closeAt?.getTime()}`;

/** Most jobs that are published at one noon are closed at different ones. */
const nextInstant = (next: number | null, { closeAt }: StoredTimeline) => {
  if (next === null) return '$$REMOVE';
  return next === closeAt?.getTime() ? '$closeAt' : new Date(next);
};
