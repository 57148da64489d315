import { status, type StatusId } from '@joblisting/contracts';
import type { Mongo } from '@joblisting/service-kit';
import { publishDateAt } from '../domain/dates.ts';
import type { ListedJob } from '../domain/job.ts';
import { growthOf, inListOrder, listedAt, type Overtaken } from '../domain/overtaken-list.ts';
import { closingIndex, jobsOf, NEWEST_FIRST } from './collections.ts';
import type { SnapshotRead } from './in-snapshot.ts';
import {
  type ListedDocument,
  listedFields,
  type TimelineDocument,
  timelineFields,
  toListedJob,
  toTimeline,
} from './job-document.ts';

/** A page of a list of one company, of one status or of all, at `now` (epoch milliseconds). */
export interface Asked {
  readonly companyId: number;
  readonly statusId: StatusId | undefined;
  /** Of the jobs that are stored in that list. */
  readonly filter: object;
  readonly skip: number;
  readonly limit: number;
  readonly now: number;
  readonly read: SnapshotRead;
}

interface OvertakenPage {
  readonly jobs: readonly ListedJob[];
  /** How many jobs more the list has than the one that is stored. */
  readonly growth: number;
}

type Row = ListedDocument & TimelineDocument;

interface Look {
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly limit: number;
  readonly hint?: string;
}

/** As a rule so few have left that one look has all that stayed. */
const FEW_LEFT = 20;
/** With more jobs that have left the part of a list that is read, the list is settled first. */
const MOST_LEFT = 500;
const fields = { ...listedFields, ...timelineFields } as const;

/**
 * Lists of companies with transitions that have come and are not stored yet, as they are when these are stored: at a
 * noon that takes seconds to settle, a list need not wait for it.
 *
 * A job is published on a date that it is listed under before: it keeps its place among all jobs, and those of one
 * company stand side by side among its pending ones. One that is closed moves to its closeDate: these are read in the
 * order of an index of their own. Both are put among what has stayed, by the rule that settles jobs.
 */
export function overtakenLists(mongo: Mongo) {
  const jobs = jobsOf(mongo);

  /** By the status that is stored. */
  const countClosing = async (asked: Asked): Promise<ReadonlyMap<StatusId, number>> => {
    const byStatus = [{ $match: closing(asked) }, { $group: { _id: '$statusId', jobs: { $sum: 1 } } }];
    const found = await jobs
      .aggregate<{ _id: StatusId; jobs: number }>(byStatus, { ...asked.read, hint: closingIndex })
      .toArray();
    return new Map(found.map((row) => [row._id, row.jobs]));
  };

  /** Undefined where jobs go from Pending to Closed at once: either list would need their number told apart. */
  const overtaken = async (asked: Asked): Promise<Overtaken | undefined> => {
    const { statusId, read } = asked;
    if (statusId === undefined || statusId === status.draft) return { closed: 0, published: 0 };
    const closed = await countClosing(asked);
    const [fromPublished = 0, fromPending = 0] = [closed.get(status.published), closed.get(status.pending)];
    if (statusId === status.closed) return { closed: fromPublished + fromPending, published: 0 };
    if (fromPending > 0) return undefined;
    return { closed: fromPublished, published: await jobs.countDocuments(publishing(asked), read) };
  };

  const find = (filter: object, { read }: Asked, options: Look): Promise<Row[]> =>
    jobs
      .find(filter, { ...read, ...options, batchSize: options.limit })
      .project<Row>(fields)
      .toArray();

  /** The first that are where they are stored. Undefined where too many have left before those. */
  const stayed = async (asked: Asked): Promise<ListedJob[] | undefined> => {
    const { statusId, filter } = asked;
    const hasStayed = (job: ListedJob, row: Row): boolean =>
      statusId === undefined
        ? job.statusId !== status.closed || row.statusId === status.closed
        : job.statusId === statusId;
    for (const room of [FEW_LEFT, MOST_LEFT]) {
      const limit = endOf(asked) + room;
      const rows = await find(filter, asked, { sort: NEWEST_FIRST, limit });
      const kept = rows.flatMap((row) => {
        const job = listed(row, asked);
        return hasStayed(job, row) ? [job] : [];
      });
      if (kept.length >= endOf(asked) || rows.length < limit) return kept;
    }
    return undefined;
  };

  const come = async (asked: Asked): Promise<ListedJob[]> => {
    const limit = endOf(asked);
    const isOf = (statusId: StatusId) => asked.statusId === statusId;
    const rows: Row[] = [];
    if (asked.statusId === undefined || isOf(status.closed)) {
      const options = { hint: closingIndex, sort: { closeAt: -1, _id: -1 } as const, limit };
      rows.push(...(await find(closing(asked), asked, options)));
    }
    if (isOf(status.published))
      rows.push(...(await find(publishing(asked), asked, { sort: NEWEST_FIRST, limit })));
    return rows.map((row) => listed(row, asked));
  };

  return {
    /** Undefined where only a large part of the list would tell. */
    page: async (asked: Asked): Promise<OvertakenPage | undefined> => {
      const [kept, added] = await Promise.all([stayed(asked), come(asked)]);
      const counts = kept && (await overtaken(asked));
      if (!counts) return undefined;
      const all = [...kept, ...added].toSorted(inListOrder);
      return { jobs: all.slice(asked.skip, endOf(asked)), growth: growthOf(asked.statusId, counts) };
    },
  };
}

const endOf = ({ skip, limit }: Asked): number => skip + limit;

const listed = (row: Row, { now }: Asked): ListedJob => listedAt(toListedJob(row), toTimeline(row), now);

/** What is closed by now and not stored so. */
const closing = ({ companyId, now }: Asked) => {
  const come = { $lte: new Date(now) };
  return {
    companyId,
    closeAt: come,
    nextTransitionAt: come,
    statusId: { $in: [status.published, status.pending] },
  };
};

/** What is not stored as published, and is by now unless it is closed. */
const publishing = ({ companyId, now }: Asked) => ({
  companyId,
  statusId: status.pending,
  displayDate: { $lte: publishDateAt(now) },
});
