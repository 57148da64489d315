import type { Mongo } from '@joblisting/service-kit';
import { type Place, type Shift, shiftsOf, sumOf } from '../domain/list-place.ts';
import {
  jobsName,
  jobsOf,
  listDaysOf,
  listTotalsName,
  neverCounted,
  neverCountedIndex,
  stillCounted,
  tombstonesName,
  uncounted,
  uncountedIndex,
} from './collections.ts';
import {
  ALL_COMPANIES,
  type CountedPlace,
  type ListTotalsDocument,
  type OpenBatch,
} from './list-documents.ts';
import type { SnapshotRead } from './in-snapshot.ts';

export type ListCountStore = ReturnType<typeof listCountStore>;

/** What is counted of a company, and what has to be added to it. */
export interface ListCounts {
  /** By status. */
  readonly totals: Readonly<Record<string, number>>;
  readonly shifts: readonly Shift[];
}

interface CountsRead {
  /**
   * Only how many jobs there are of all statuses is asked for: the sum of the counts is right, each of them need not
   * be. A job that has moved changes nothing about that: at a noon half of a company has.
   */
  readonly isOfAll?: boolean;
  /** Pipelines over the jobs to read in the same statement, none of which may name a field `part`. */
  readonly beside?: readonly (readonly object[])[];
}

/** More that is not counted yet costs more to read than the jobs of most companies cost to count. */
const MOST_UNCOUNTED = 500;

/** What is read for the counts tells itself from what is read beside it. */
const part = { part: { $literal: 'counts' } } as const;

/** A job that is not counted in its place, or a deleted one, which has no place, where it says that it is counted. */
interface Moved {
  readonly _id: number;
  readonly part: string;
  readonly place?: Place;
  readonly counted?: CountedPlace;
}

type CountRow = Moved | (ListTotalsDocument & { readonly part: string });

const isTotals = (row: CountRow): row is ListTotalsDocument & CountRow => 'writes' in row;
const isOfCounts = (row: object): row is CountRow => 'part' in row;

/** More than any list has rows. */
const ONE_BATCH = 5000;
const atMost = { $limit: MOST_UNCOUNTED + 1 };
const place = { statusId: '$statusId', displayDate: '$displayDate' };

/**
 * How many jobs the lists of a company have, without counting them. A write of a job does nothing for that: a job
 * without `counted` is to be counted, one with `miscounted` was counted in another place, and a tombstone that is
 * `uncounted` is of a job that may have been. A background task moves them into the counts, and whoever reads the
 * counts reads these few beside them, in one snapshot: so the sum is exact at every moment.
 *
 * Worth: a count of 100,000 jobs costs 80 ms of the database; this costs half a millisecond, for any company.
 */
export function listCountStore(mongo: Mongo) {
  const jobs = jobsOf(mongo);
  const days = listDaysOf(mongo);

  const readRows = (companyId: number, { isOfAll = false, beside = [] }: CountsRead, read: SnapshotRead) => {
    const deleted = [
      { $match: { companyId, ...stillCounted } },
      atMost,
      { $project: { counted: 1, ...part } },
    ];
    const ofCompany = { $filter: { input: '$open.jobs', cond: { $eq: ['$$this.companyId', companyId] } } };
    const open = { 'open.jobs': ofCompany, 'open.gone': 1 };
    const totals = [
      { $match: { _id: { $in: [ALL_COMPANIES, companyId] } } },
      { $project: { totals: 1, since: 1, writes: 1, recount: 1, ...open, ...part } },
    ];
    return jobs
      .aggregate<object>(
        [
          { $match: { companyId, ...(isOfAll ? neverCounted : uncounted) } },
          atMost,
          { $project: { place, counted: '$miscounted', ...part } },
          { $unionWith: { coll: tombstonesName, pipeline: deleted } },
          { $unionWith: { coll: listTotalsName, pipeline: totals } },
          ...beside.map((pipeline) => ({ $unionWith: { coll: jobsName, pipeline } })),
        ],
        { ...read, hint: isOfAll ? neverCountedIndex : uncountedIndex, batchSize: ONE_BATCH },
      )
      .toArray();
  };

  const countsIn = (rows: readonly CountRow[], companyId: number): ListCounts | undefined => {
    const moved = rows.filter((row): row is Moved => !isTotals(row));
    const totals = rows.filter(isTotals);
    const ofCompany = totals.find(({ _id }) => _id === companyId);
    if (ofCompany?.recount || moved.length > MOST_UNCOUNTED) return undefined;
    const all = totals.find(({ _id }) => _id === ALL_COMPANIES);
    if (!all) return undefined;
    return { totals: ofCompany?.totals ?? {}, shifts: correction(moved, ofCompany, all.open) };
  };

  return {
    /**
     * The counts, and in the same statement what is read beside them. A statement costs the service more than what it
     * reads: with one instead of three, a list costs it a third less. `counts` is undefined where the jobs must be
     * counted: too many changed a moment ago, or their counts are being made.
     */
    read: async (
      companyId: number,
      read: SnapshotRead,
      asked: CountsRead = {},
    ): Promise<{ counts: ListCounts | undefined; beside: object[] }> => {
      const rows = await readRows(companyId, asked, read);
      const found = rows.filter((row) => !isOfCounts(row));
      return { counts: countsIn(rows.filter(isOfCounts), companyId), beside: found };
    },

    /** How many jobs are counted in each place of a company. */
    places: async (companyId: number, read: SnapshotRead): Promise<Shift[]> => {
      const months = await days.find({ _id: monthsOf(companyId) }, read).toArray();
      return months.flatMap(({ _id, days: ofMonth }) =>
        Object.entries(ofMonth).flatMap(([day, byStatus]) =>
          Object.entries(byStatus).map(([statusId, by]) => ({
            statusId: Number(statusId) as Place['statusId'],
            displayDate: `${_id.slice(_id.indexOf('/') + 1)}-${day}`,
            by,
          })),
        ),
      );
    },
  };
}

/** Of a job in the open batch, the batch knows where it is counted: the job itself may not say so yet. */
function correction(
  moved: readonly Moved[],
  totals: ListTotalsDocument | undefined,
  open: Partial<OpenBatch> | undefined,
): Shift[] {
  const inBatch = new Map((open?.jobs ?? []).map((job) => [job.id, job.place]));
  const gone = new Set(open?.gone);
  return sumOf(
    moved
      .filter((row) => row.place || !gone.has(row._id))
      .flatMap((row) => shiftsOf(row.place, standing(inBatch.get(row._id) ?? row.counted, totals))),
  );
}

/** The place in which a job is counted, if the counts that it is part of are still those of the company. */
export const standing = (
  counted: CountedPlace | undefined,
  totals: Pick<ListTotalsDocument, 'since'> | undefined,
): Place | undefined => (counted?.since?.getTime() === totals?.since?.getTime() ? counted : undefined);

/** The ids of a company's documents in `list_days`. `0` comes right after `/`. */
export const monthsOf = (companyId: number) => ({ $gte: `${companyId}/`, $lt: `${companyId}0` });
