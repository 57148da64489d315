import type { StatusId } from '@joblisting/contracts';
import type { Mongo } from '@joblisting/service-kit';
import type { ListedJob } from '../domain/job.ts';
import { dayAt, isListed, totalOf } from '../domain/list-place.ts';
import { jobsOf, NEWEST_FIRST } from './collections.ts';
import { inSnapshot, type SnapshotRead } from './in-snapshot.ts';
import { listedFields, type ListedDocument, toListedJob } from './job-document.ts';
import { listCountStore, type ListCounts } from './list-count-store.ts';
import { overtakenLists } from './overtaken-lists.ts';

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

/** A part of a list: `skip` jobs from its end, or from that of a day, up to `limit`. */
interface Part {
  readonly from: 'newest' | 'oldest';
  readonly date?: string;
  readonly skip: number;
  readonly limit: number;
}

const OLDEST_FIRST = { displayDate: 1, _id: 1 } as const;

/** Skipping so many index entries costs less than looking up where the page begins. */
const SHORT_SKIP = 500;

/**
 * Lists of one company's jobs, newest displayDate first, then the highest id (API decisions, "Paging"). A page and
 * its total are of one moment. What they cost does not depend on how many jobs the company has: the total is read
 * from counts, and a page is looked for from whichever end is nearer, or from the day that it begins on. Only
 * inside one day it is skipped to, from the nearer end of the day: a company with 100,000 jobs of one displayDate
 * pays up to 50,000 index entries for a page in their middle.
 */
export function listStore(mongo: Mongo) {
  const jobs = jobsOf(mongo);
  const counts = listCountStore(mongo);
  const overtaken = overtakenLists(mongo);

  const readPart = async (filter: object, part: Part, read: SnapshotRead): Promise<ListedJob[]> => {
    const { from, date, skip, limit } = part;
    const isNewest = from === 'newest';
    const days = date !== undefined && { displayDate: isNewest ? { $lte: date } : { $gte: date } };
    const sort = isNewest ? NEWEST_FIRST : OLDEST_FIRST;
    const found = await jobs
      .find({ ...filter, ...days }, { ...read, sort, skip, limit })
      .project<ListedDocument>(listedFields)
      .toArray();
    return (isNewest ? found : found.toReversed()).map(toListedJob);
  };

  /** Where the part from `offset` up to `end` is best read from. */
  const locate = async (
    { companyId, statusId }: PageRequest,
    { offset, end, total }: { offset: number; end: number; total: number },
    { shifts }: ListCounts,
    read: SnapshotRead,
  ): Promise<Part> => {
    const limit = end - offset;
    if (total - end <= SHORT_SKIP) return { from: 'oldest', skip: total - end, limit };
    const places = [...(await counts.places(companyId, read)), ...shifts].filter(isListed(statusId));
    const first = dayAt(places, offset);
    const last = dayAt(places, end - 1);
    const skip = offset - (first?.before ?? 0);
    if (!last || skip <= SHORT_SKIP) return { from: 'newest', ...dateOf(first), skip, limit };
    const behind = last.before + last.jobs - end;
    return skip <= behind
      ? { from: 'newest', ...dateOf(first), skip, limit }
      : { from: 'oldest', date: last.date, skip: behind, limit };
  };

  return {
    /**
     * The page at `now`, epoch ms. Undefined where transitions have come that are not stored, and the page cannot be
     * told without: far down a list, or where too much has changed in it.
     */
    page: (request: PageRequest, now: number): Promise<Page | undefined> =>
      inSnapshot(mongo, async (read) => {
        const { companyId, statusId, page, pageSize } = request;
        const filter = statusId === undefined ? { companyId } : { companyId, statusId };
        const offset = (page - 1) * pageSize;
        const fromNewest: Part = { from: 'newest', skip: offset, limit: pageSize };
        const isNear = offset <= SHORT_SKIP;
        const beside = [dueIn(companyId, now), ...(isNear ? [partOf(filter, fromNewest)] : [])];
        const isOfAll = isNear && statusId === undefined;
        const { counts: counted, beside: rows } = await counts.read(companyId, read, { isOfAll, beside });
        const storedTotal = () =>
          counted ? totalOf(counted.totals, counted.shifts, statusId) : jobs.countDocuments(filter, read);
        if (rows.some(isDue)) {
          if (!isNear) return undefined;
          const asked = { companyId, statusId, filter, skip: offset, limit: pageSize, now, read };
          const [settled, total] = await Promise.all([overtaken.page(asked), storedTotal()]);
          return settled && toPage(settled.jobs, { offset, pageSize, total: total + settled.growth });
        }
        const found = isNear ? (rows as ListedDocument[]).map(toListedJob) : undefined;
        const isWhole = found && isEnd(found, { offset, pageSize });
        const total = isWhole ? offset + found.length : await storedTotal();
        if (found) return toPage(found, { offset, pageSize, total });
        if (offset >= total) return { total, jobs: [] };
        const end = Math.min(offset + pageSize, total);
        const part = counted ? await locate(request, { offset, end, total }, counted, read) : fromNewest;
        return { total, jobs: await readPart(filter, part, read) };
      }),

    /** Those of the ids that are jobs. */
    existing: async (ids: readonly number[]): Promise<number[]> => {
      const found = await jobs
        .find({ _id: { $in: [...ids] } })
        .project<{ _id: number }>({ _id: 1 })
        .toArray();
      return found.map(({ _id }) => _id);
    },
  };
}

interface Slice {
  readonly offset: number;
  readonly pageSize: number;
}

/** A page that is not full ends its list. */
const isEnd = (found: readonly ListedJob[], { offset, pageSize }: Slice): boolean =>
  found.length < pageSize && (offset === 0 || found.length > 0);

/** Whatever is counted: there are those that were found, and where none was found there are no more. */
function toPage(found: readonly ListedJob[], slice: Slice & { readonly total: number }): Page {
  const { offset, total } = slice;
  const end = offset + found.length;
  if (isEnd(found, slice)) return { total: end, jobs: found };
  const isPast = found.length === 0;
  return { total: isPast ? Math.max(0, Math.min(total, offset)) : Math.max(total, end), jobs: found };
}

const isDue = (row: object): boolean => 'due' in row;

const dueIn = (companyId: number, now: number) => [
  { $match: { companyId, nextTransitionAt: { $lte: new Date(now) } } },
  // No hint reaches this far: the order leaves the planner one index, where another would hold all companies.
  { $sort: { companyId: 1, nextTransitionAt: 1 } },
  { $limit: 1 },
  { $project: { due: { $literal: true } } },
];

const partOf = (filter: object, { skip, limit }: Part) => [
  { $match: filter },
  { $sort: NEWEST_FIRST },
  { $skip: skip },
  { $limit: limit },
  { $project: listedFields },
];

const dateOf = (day: { readonly date: string } | undefined) => (day ? { date: day.date } : {});
