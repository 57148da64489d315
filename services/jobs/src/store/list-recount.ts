import { inTransaction, type Mongo } from '@joblisting/service-kit';
import { type Place, type Shift, sumOf } from '../domain/list-place.ts';
import {
  jobsOf,
  listDaysOf,
  listTotalsOf,
  stillCounted,
  tombstonesOf,
  uncounted,
  uncountedIndex,
} from './collections.ts';
import { inChunks } from './in-chunks.ts';
import { ALL_COMPANIES } from './list-documents.ts';
import { inSnapshot } from './in-snapshot.ts';
import { listCountStore, monthsOf } from './list-count-store.ts';

export type ListRecount = ReturnType<typeof listRecount>;

const CHUNK = 1000;
const LIMIT_MS = 5000;

/** The counts that a company is to have from `since` on. */
export interface Recount {
  readonly companyId: number;
  readonly since: Date;
}

export interface Audit {
  /** Undefined where that cannot be told now. */
  readonly isRight: boolean | undefined;
  /** How many were looked at. */
  readonly jobs: number;
}

type FindCursor = ReturnType<ReturnType<typeof jobsOf>['find']>;

/** How many jobs of a status there are on each of some days. */
interface Tally {
  readonly _id: Place['statusId'];
  readonly days: readonly string[];
  readonly jobs: readonly number[];
}

/** By the database's clock, and later than the last time even where that was put back. */
const beginning = [
  {
    $set: {
      recount: true,
      since: { $max: ['$$NOW', { $add: ['$since', 1] }] },
      writes: { $add: [{ $ifNull: ['$writes', 0] }, 1] },
    },
  },
];

/** A document for each status: one for each of its days takes this process three times as long to read. */
const tallying = [
  { $group: { _id: { statusId: '$statusId', displayDate: '$displayDate' }, jobs: { $sum: 1 } } },
  { $group: { _id: '$_id.statusId', days: { $push: '$_id.displayDate' }, jobs: { $push: '$jobs' } } },
];

/** Makes the counts of a company's lists anew, and finds out where that is needed. */
export function listRecount(mongo: Mongo) {
  const jobs = jobsOf(mongo);
  const totals = listTotalsOf(mongo);
  const counts = listCountStore(mongo);

  const order = async (companyIds: readonly number[]): Promise<void> => {
    const writes = companyIds.map((_id) => ({
      updateOne: { filter: { _id }, update: beginning, upsert: true },
    }));
    if (writes.length > 0) await totals.bulkWrite(writes, { ordered: false });
  };

  /** Of the jobs that are found, those that are `old`, a chunk at a time. */
  const forgetAll = async (found: FindCursor, old: object): Promise<void> => {
    const ids = found.project<{ _id: number }>({ _id: 1 }).batchSize(CHUNK);
    for await (const chunk of inChunks(ids, CHUNK)) {
      const some = { _id: { $in: chunk.map(({ _id }) => _id) }, ...old };
      await jobs.updateMany(some, { $unset: { counted: '', miscounted: '' } });
    }
  };

  return {
    /**
     * Where nothing was ever counted, or the counts were thrown away, every company is to be recounted. Lists count
     * their jobs until that is done, and nothing else is counted until every company is told.
     */
    prepare: async (): Promise<void> => {
      if ((await totals.findOne({ _id: ALL_COMPANIES }, { projection: { _id: 1 } })) !== null) return;
      const living = await jobs
        .aggregate<{ _id: number }>([{ $group: { _id: '$companyId' } }], { hint: 'list' })
        .toArray();
      const deleted = await tombstonesOf(mongo).distinct('companyId', stillCounted);
      const companyIds = [...new Set([...living.map(({ _id }) => _id), ...deleted])];
      for (let from = 0; from < companyIds.length; from += CHUNK)
        await order(companyIds.slice(from, from + CHUNK));
      await totals.updateOne({ _id: ALL_COMPANIES }, { $setOnInsert: { writes: 0 } }, { upsert: true });
    },

    order: (companyId: number): Promise<void> => order([companyId]),

    /** A company that is to be recounted. */
    next: async (): Promise<Recount | undefined> => {
      const found = await totals.findOne({ recount: true }, { projection: { since: 1 } });
      return found?.since && { companyId: found._id, since: found.since };
    },

    /**
     * Forgets all that is counted of a company, so that its jobs are counted like new ones. A job that moves while they
     * are read may be passed by: it has `miscounted` then, and is looked for where those are, behind the others. Another
     * replica may be faster: what is counted since then stays.
     */
    forget: async ({ companyId, since }: Recount): Promise<void> => {
      const older = { $not: { $gte: since } };
      await forgetAll(jobs.find({ companyId }, { hint: 'list' }), {
        counted: { $ne: null },
        'counted.since': older,
      });
      const moved = { miscounted: { $exists: true }, 'miscounted.since': older };
      await forgetAll(jobs.find({ companyId, ...uncounted, ...moved }, { hint: uncountedIndex }), moved);
      await inTransaction(mongo, Date.now() + LIMIT_MS, async (session) => {
        const filter = { _id: companyId, recount: true as const, since };
        const begin = { $set: { totals: {} }, $unset: { recount: '' }, $inc: { writes: 1 } } as const;
        const { matchedCount } = await totals.updateOne(filter, begin, { session });
        if (matchedCount === 1) await listDaysOf(mongo).deleteMany({ _id: monthsOf(companyId) }, { session });
      });
    },

    /** The first company after this one that has jobs; undefined where there is none. */
    companyAfter: async (companyId: number): Promise<number | undefined> => {
      const sort = { companyId: 1 } as const;
      const options = { projection: { companyId: 1 }, sort, hint: 'list' } as const;
      return (await jobs.findOne({ companyId: { $gt: companyId } }, options))?.companyId;
    },

    /** Compares what is counted of a company with what it has. */
    audit: (companyId: number): Promise<Audit> =>
      inSnapshot(mongo, async (read) => {
        const { counts: counted } = await counts.read(companyId, read);
        if (!counted) return { isRight: undefined, jobs: 0 };
        const places = await counts.places(companyId, read);
        const tallies = await jobs
          .aggregate<Tally>([{ $match: { companyId } }, ...tallying], { ...read, hint: 'list_by_status' })
          .toArray();
        const actual = tallies.flatMap(({ _id: statusId, days, jobs: each }) =>
          days.map((day, index) => shift(statusId, day, -(each[index] ?? 0))),
        );
        const totalShifts = Object.entries(counted.totals).map(([id, by]) => shift(Number(id), '', by));
        const dateless = [...counted.shifts, ...actual].map(({ statusId, by }) => shift(statusId, '', by));
        const wrong = [
          ...sumOf([...places, ...counted.shifts, ...actual]),
          ...sumOf([...totalShifts, ...dateless]),
        ];
        return { isRight: wrong.length === 0, jobs: actual.reduce((sum, { by }) => sum - by, 0) };
      }),
  };
}

const shift = (statusId: number, displayDate: string, by: number): Shift => ({
  statusId: statusId as Place['statusId'],
  displayDate,
  by,
});
