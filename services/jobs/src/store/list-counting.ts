import { finder, inTransaction, type Mongo } from '@joblisting/service-kit';
import { type ClientSession, mongo as driver } from 'mongoose';
import { type Place, type Shift, shiftsOf } from '../domain/list-place.ts';
import {
  jobsName,
  jobsOf,
  listTotalsName,
  listTotalsOf,
  stillCounted,
  tombstonesName,
  tombstonesOf,
  uncounted,
  uncountedIndex,
} from './collections.ts';
import { isAnyIn } from './is-any.ts';
import {
  ALL_COMPANIES,
  type BatchId,
  type CountedPlace,
  type ListTotalsDocument,
  type OpenBatch,
} from './list-documents.ts';
import { listBatches } from './list-batches.ts';
import { standing } from './list-count-store.ts';
import { addShifts } from './list-shifts.ts';

export type ListCounting = ReturnType<typeof listCounting>;

/** Where counting goes on: what was counted a moment ago stays in the index for minutes, and is not to be passed again. */
export interface Position {
  readonly companyId: number;
  readonly _id: number;
}

export interface CountingState {
  /** Every company is known to be counted, or is to be counted anew. */
  readonly isPrepared: boolean;
  /** The batch that is under way, or that someone left behind. */
  readonly open: BatchId | undefined;
  /** Companies are to be counted anew. */
  readonly isRecounting: boolean;
}

interface Found {
  readonly _id: number;
  readonly companyId: number;
}
interface FoundJob extends Found, Place {
  readonly miscounted?: CountedPlace;
}
interface FoundTombstone extends Found {
  readonly counted?: CountedPlace;
}

interface Job {
  readonly _id: number;
  readonly counted?: CountedPlace | null;
}
interface Tombstone {
  readonly _id: number;
  readonly uncounted?: true;
}

const LIMIT_MS = 5000;
const jobFields = { companyId: 1, statusId: 1, displayDate: 1, miscounted: 1 } as const;
const tombstoneFields = { companyId: 1, counted: 1 } as const;

/**
 * Moves jobs that are not counted yet into the counts of their companies' lists, a batch at a time, in two steps.
 * One transaction changes the counts and notes which jobs are in them now, and where. Then each job is told, and the
 * note is dropped. Between the two, the note is what readers go by; whoever finds one left behind finishes it.
 *
 * The transaction does not write to jobs, so it keeps no client waiting, not even when it is orphaned. It is also
 * what makes this cheap: MongoDB 6 takes five times as long to change a job inside of a transaction as outside.
 */
export function listCounting(mongo: Mongo) {
  const jobs = jobsOf(mongo);
  const tombstones = tombstonesOf(mongo);
  const totals = listTotalsOf(mongo);
  const batches = listBatches(mongo);
  const isAnyJob = isAnyIn<Job>(mongo, jobsName);
  const isAnyTombstone = isAnyIn<Tombstone>(mongo, tombstonesName);
  const isAnyTotal = isAnyIn<ListTotalsDocument>(mongo, listTotalsName);
  const states = finder<ListTotalsDocument>({
    mongo,
    collection: listTotalsName,
    projection: { 'open.batch': 1 },
  });

  const recounting = async (): Promise<number[]> => {
    const found = await totals.find({ recount: true }, { projection: { _id: 1 } }).toArray();
    return found.map(({ _id }) => _id);
  };

  const totalsOf = async (found: readonly Found[], session: ClientSession) => {
    const ids = [ALL_COMPANIES, ...new Set(found.map(({ companyId }) => companyId))];
    const projection = { since: 1, recount: 1, open: 1 };
    const known = await totals.find({ _id: { $in: ids } }, { session, projection }).toArray();
    return new Map(known.map((ofCompany) => [ofCompany._id, ofCompany]));
  };

  const find = async ({ companyId, _id }: Position, limit: number, session: ClientSession) => {
    const others = { $nin: await recounting() };
    const options = { session, hint: uncountedIndex, min: { companyId, _id }, limit } as const;
    const living = jobs.find({ companyId: others, ...uncounted }, options).project<FoundJob>(jobFields);
    const deleted = tombstones
      .find({ companyId: others, ...stillCounted }, options)
      .project<FoundTombstone>(tombstoneFields);
    return { living: await living.toArray(), deleted: await deleted.toArray() };
  };

  /** Resolves to the batch that is open then; undefined where nothing is to be counted, or not yet. */
  const open = (after: Position, limit: number) =>
    inTransaction(mongo, Date.now() + LIMIT_MS, async (session) => {
      const { living, deleted } = await find(after, limit, session);
      if (living.length + deleted.length === 0) return undefined;
      const known = await totalsOf([...living, ...deleted], session);
      const all = known.get(ALL_COMPANIES);
      if (!all || all.open) return undefined;

      // A company whose recount was ordered a moment ago is left for later.
      const isCounted = ({ companyId: id }: Found) => known.get(id)?.recount !== true;
      const batch = new driver.ObjectId();
      const shifts = new Map<number, Shift[]>();
      const add = (id: number, place: Place | undefined, counted: CountedPlace | undefined) =>
        shifts.set(id, [...(shifts.get(id) ?? []), ...shiftsOf(place, standing(counted, known.get(id)))]);
      const placed: OpenBatch['jobs'][number][] = [];
      for (const job of living.filter(isCounted)) {
        const { _id: id, companyId: ofCompany, statusId, displayDate } = job;
        const since = known.get(ofCompany)?.since;
        add(ofCompany, job, job.miscounted);
        placed.push({
          id,
          companyId: ofCompany,
          place: { statusId, displayDate, ...(since && { since }), batch },
        });
      }
      for (const job of deleted.filter(isCounted)) add(job.companyId, undefined, job.counted);
      const opened = { batch, jobs: placed, gone: deleted.filter(isCounted).map(({ _id }) => _id) };
      await totals.updateOne(
        { _id: ALL_COMPANIES },
        { $set: { open: opened }, $inc: { writes: 1 } },
        { session },
      );
      await addShifts(mongo, shifts, session);
      return { batch: opened, next: nextPosition([living, deleted], limit) };
    });

  return {
    /** Whether there is anything to count: two index probes. */
    isBehind: async (): Promise<boolean> => {
      const found = await Promise.all([
        isAnyJob(uncounted, uncountedIndex),
        isAnyTombstone(stillCounted, uncountedIndex),
      ]);
      return found.includes(true);
    },

    first: { companyId: 0, _id: 0 } as Position,

    /** What there is to do before anything is counted. */
    state: async (): Promise<CountingState> => {
      const [all, isRecounting] = await Promise.all([
        states.one({ _id: ALL_COMPANIES }),
        isAnyTotal({ recount: true }),
      ]);
      return { isPrepared: all !== undefined, open: all?.open?.batch, isRecounting };
    },

    /** Finishes it. */
    finish: async (): Promise<void> => {
      const state = await totals.findOne({ _id: ALL_COMPANIES }, { projection: { open: 1 } });
      if (state?.open) await batches.finish(state.open);
    },

    /**
     * Counts up to `limit` jobs, and as many that are deleted, from `after` on. Resolves to where to go on; to
     * undefined where nothing is left, or someone else is at it.
     */
    count: async (after: Position, limit: number): Promise<Position | undefined> => {
      const opened = await open(after, limit);
      if (opened) await batches.finish(opened.batch);
      return opened?.next;
    },
  };
}

/** Behind the last of the part that was cut off first. */
function nextPosition(parts: readonly (readonly Found[])[], limit: number): Position | undefined {
  const cut = parts.filter(({ length }) => length === limit).flatMap((part) => part.slice(-1));
  const [first] = cut.toSorted((a, b) => a.companyId - b.companyId || a._id - b._id);
  return first && { companyId: first.companyId, _id: first._id + 1 };
}
