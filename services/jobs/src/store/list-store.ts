import { deadlineExceeded, type StatusId, status } from '@joblisting/contracts';
import { inSnapshot, inTransaction, type Mongo, type ReadOptions } from '@joblisting/service-kit';
import type { PipelineStage } from 'mongoose';
import type { ListedJob } from '../domain/job.ts';
import {
  deltaOf,
  isSame,
  type PageRows,
  rowsOf,
  totalOf,
  type Totals,
  type Uncounted,
} from '../domain/list-totals.ts';
import { jobModel } from '../models/job.ts';
import { listTotalsModel } from '../models/list-totals.ts';
import { tombstoneModel } from '../models/tombstone.ts';
import { listedFields, type ListedDocument, toListedJob } from './job-document.ts';

export type ListStore = ReturnType<typeof listStore>;

/** A page of a company's jobs, of one status or of all. `page` counts from 1. */
export interface PageRequest {
  readonly companyId: number;
  readonly statusId: StatusId | undefined;
  readonly page: number;
  readonly pageSize: number;
}

export interface Page {
  readonly total: number;
  readonly jobs: readonly ListedJob[];
}

interface UncountedRow {
  readonly _id: Omit<Uncounted, 'jobs'>;
  readonly jobs: number;
}
type Pipeline = PipelineStage.UnionWithPipelineStage[];
type Row = UncountedRow | { readonly totals: Totals } | { readonly due: Date } | ListedDocument;

/** Pages that start within this many rows are read in the statement that reads the total. */
const NEAR = 1000;
/** More rows than the statement ever yields. */
const batchSize = 2000;
const FOLD_LIMIT_MS = 2000;

const NEWEST_FIRST = { displayDate: -1, _id: -1 } as const;
const OLDEST_FIRST = { displayDate: 1, _id: 1 } as const;

/**
 * Lists of one company's jobs, newest displayDate first, then the highest id (API decisions, "Paging").
 *
 * A list's total is the stored one plus what the writes since have changed: every write that creates a job or changes
 * its status marks it as `uncounted`. `fold` moves these changes into the stored totals. Both are read with the page in
 * one snapshot, so a list is exact at every moment.
 */
export function listStore(mongo: Mongo) {
  const jobs = jobModel(mongo);
  const tombstones = tombstoneModel(mongo);
  const listTotals = listTotalsModel(mongo);

  const union = (model: { readonly collection: { readonly name: string } }, pipeline: Pipeline) => ({
    $unionWith: { coll: model.collection.name, pipeline },
  });

  /** Rows with `jobs`: a company's jobs that are not folded yet, living and deleted, from the index alone. */
  const uncountedIn = (companyId: number): Pipeline => {
    const match = { $match: { companyId, uncounted: true } };
    const group = (_id: Record<string, string>) => ({ $group: { _id, jobs: { $sum: 1 } } });
    return [
      match,
      group({ statusId: '$statusId', counted: '$counted' }),
      union(tombstones, [match, group({ counted: '$counted' })]),
    ];
  };

  const readRows = async (
    filter: object,
    { skip, limit, fromEnd }: PageRows,
    snapshot: ReadOptions<'snapshot'>,
  ) => {
    const sort = fromEnd ? OLDEST_FIRST : NEWEST_FIRST;
    const options = { ...snapshot, sort, skip, limit, batchSize };
    const found = await jobs.find(filter, listedFields, options).lean<ListedDocument[]>();
    return fromEnd ? found.toReversed() : found;
  };

  return {
    /** Undefined if a transition that is due at `now` (epoch ms) is not stored yet: settle first. */
    page: ({ companyId, statusId, page, pageSize }: PageRequest, now: number): Promise<Page | undefined> =>
      inSnapshot(mongo, async (snapshot) => {
        const filter = statusId === undefined ? { companyId } : { companyId, statusId };
        const offset = (page - 1) * pageSize;
        const isNear = offset <= NEAR;
        const pipeline = [
          ...uncountedIn(companyId),
          union(listTotals, [{ $match: { _id: companyId } }, { $project: { totals: 1 } }]),
          union(jobs, dueIn(companyId, now)),
          ...(isNear ? [union(jobs, pageOf(filter, offset, pageSize))] : []),
        ];
        const rows = await jobs.aggregate<Row>(pipeline, { ...snapshot, batchSize });
        if (rows.some((row) => 'due' in row)) return undefined;
        const stored = rows.find((row) => 'totals' in row)?.totals ?? {};
        const total = totalOf(stored, deltaOf(toUncounted(rows)), statusId);
        const far = isNear ? undefined : rowsOf(total, offset, pageSize);
        const found = far ? await readRows(filter, far, snapshot) : rows.filter((row) => 'title' in row);
        return { total, jobs: found.map(toListedJob) };
      }),

    /** The first company after this one that has changes to fold: one index probe if there are none. */
    nextToFold: async (after: number): Promise<number | undefined> => {
      const first: Pipeline = [
        { $match: { companyId: { $gt: after }, uncounted: true } },
        { $sort: { companyId: 1 } },
        { $limit: 1 },
        { $project: { _id: 0, companyId: 1 } },
      ];
      const found = await jobs.aggregate<{ companyId: number }>([...first, union(tombstones, first)]);
      return found.map(({ companyId }) => companyId).toSorted((a, b) => a - b)[0];
    },

    /**
     * Folds up to `limit` jobs of a company, and as many deleted ones, into its totals. A concurrent change of one of
     * them or another fold is a write conflict, after which it runs again, so each job is folded once. Resolves to how
     * many there were.
     */
    fold: (companyId: number, limit: number): Promise<number> =>
      inTransaction(mongo, Date.now() + FOLD_LIMIT_MS, async (session) => {
        const filter = { companyId, uncounted: true as const };
        const options = { session, limit };
        const living = await jobs.find(filter, { statusId: 1, counted: 1 }, options).lean();
        const deleted = await tombstones.find(filter, { counted: 1 }, options).lean();
        const folded = living.length + deleted.length;
        if (folded === 0) return folded;
        const delta = deltaOf([
          ...living.map(({ statusId, counted }) => ({ statusId, counted, jobs: 1 })),
          ...deleted.map(({ counted }) => ({ counted, jobs: 1 })),
        ]);
        const $inc = Object.fromEntries(Object.entries(delta).map(([id, by]) => [`totals.${id}`, by]));
        await listTotals.updateOne({ _id: companyId }, { $inc }, { session, upsert: true });
        const counting = [{ $set: { counted: '$statusId' } }, { $unset: 'uncounted' }];
        await jobs.updateMany({ _id: { $in: living.map(({ _id }) => _id) } }, counting, {
          session,
          updatePipeline: true,
        });
        const counted = { $unset: { uncounted: 1, counted: 1 } } as const;
        if (deleted.length > 0) {
          const ids = deleted.map(({ _id }) => _id);
          await tombstones.updateMany({ _id: { $in: ids } }, counted, { session });
        }
        return folded;
      }),

    /**
     * Recomputes the stored totals from the status under which each job says it is counted. First marks jobs that
     * something other than this service inserted or changed, so that they are folded. Lists stay right meanwhile.
     */
    recount: async (companyId: number, deadline: number): Promise<{ corrected: boolean }> => {
      let marked = 0;
      for (const statusId of Object.values(status)) {
        const wrong = { companyId, statusId, counted: { $ne: statusId }, uncounted: { $exists: false } };
        if (Date.now() >= deadline) throw deadlineExceeded();
        marked += (await jobs.updateMany(wrong, { $set: { uncounted: true as const } })).modifiedCount;
      }
      const byCounted = { $group: { _id: { statusId: '$counted' }, jobs: { $sum: 1 } } };
      return inTransaction(mongo, deadline, async (session) => {
        // Written first, so that a concurrent fold is the one that conflicts and retries.
        const touch = { $inc: { recounts: 1 } };
        const options = { session, upsert: true };
        const before = await listTotals.findOneAndUpdate({ _id: companyId }, touch, options).lean();
        const rows = [
          ...(await jobs.aggregate<UncountedRow>([{ $match: { companyId } }, byCounted], { session })),
          ...(await tombstones.aggregate<UncountedRow>(
            [{ $match: { companyId, uncounted: true } }, byCounted],
            { session },
          )),
        ];
        const totals = deltaOf(toUncounted(rows));
        await listTotals.updateOne({ _id: companyId }, { $set: { totals } }, { session });
        return { corrected: marked > 0 || !isSame(totals, before?.totals ?? {}) };
      });
    },
  };
}

const dueIn = (companyId: number, now: number): Pipeline => [
  { $match: { companyId, nextTransitionAt: { $lte: new Date(now) } } },
  { $sort: { companyId: 1, nextTransitionAt: 1 } },
  { $limit: 1 },
  { $project: { _id: 0, due: '$nextTransitionAt' } },
];

const pageOf = (filter: PipelineStage.Match['$match'], skip: number, limit: number): Pipeline => [
  { $match: filter },
  { $sort: NEWEST_FIRST },
  { $skip: skip },
  { $limit: limit },
  { $project: listedFields },
];

const toUncounted = (rows: readonly Row[]): Uncounted[] =>
  rows
    .filter((row) => 'jobs' in row)
    .map(({ _id: { statusId, counted }, jobs }) => ({ statusId, counted, jobs }));
