import { status, type StatusId } from '@joblisting/contracts';
import { closeInstant, publishInstant } from './dates.ts';

/** What decides the status of a job: its dates, and the state in which it was stored. */
export interface Timeline {
  readonly publishDate: string;
  readonly closeDate: string | null;
  readonly statusId: StatusId;
  readonly version: number;
}

/** A change into Published or Closed, at its own version. `at` is in milliseconds since the epoch. */
export interface Transition {
  readonly version: number;
  readonly statusId: typeof status.published | typeof status.closed;
  readonly at: number;
}

type Dates = Pick<Timeline, 'publishDate' | 'closeDate'>;

/** The status that the dates give at `now`, Draft aside (API decisions, "Status"). */
export function statusAt({ publishDate, closeDate }: Dates, now: number): Exclude<StatusId, 5> {
  if (closeDate !== null && closeInstant(closeDate) <= now) return status.closed;
  return publishInstant(publishDate) <= now ? status.published : status.pending;
}

/** The next change that the clock makes, whenever that is: undefined for Closed, Draft and "no automatic closing". */
function nextTransition(job: Timeline): Transition | undefined {
  if (job.statusId !== status.pending && job.statusId !== status.published) return undefined;
  const version = job.version + 1;
  const publishAt = publishInstant(job.publishDate);
  const closeAt = job.closeDate === null ? Infinity : closeInstant(job.closeDate);
  if (job.statusId === status.pending && publishAt < closeAt)
    return { version, statusId: status.published, at: publishAt };
  return closeAt === Infinity ? undefined : { version, statusId: status.closed, at: closeAt };
}

/** When the clock changes the status next, in milliseconds since the epoch; null when it never does. */
export const nextTransitionAt = (job: Timeline): number | null => nextTransition(job)?.at ?? null;

/**
 * The job as it stands at `now`, with the transitions passed since it was stored, one version each. Reading and
 * settling both use it, so an entity tag is the same before and after the transitions are stored. A clock that
 * goes back takes nothing back.
 */
export function settle<T extends Timeline>(
  stored: T,
  now: number,
): { job: T; passed: readonly Transition[] } {
  const { publishDate, closeDate } = stored;
  const passed: Transition[] = [];
  let next = nextTransition(stored);
  while (next && next.at <= now) {
    passed.push(next);
    next = nextTransition({ publishDate, closeDate, statusId: next.statusId, version: next.version });
  }
  const last = passed.at(-1);
  return { job: last ? { ...stored, statusId: last.statusId, version: last.version } : stored, passed };
}

/** closeDate if the job is Closed, otherwise publishDate (spec, "displayDate"). */
export const displayDate = (job: Pick<Timeline, 'publishDate' | 'closeDate' | 'statusId'>): string =>
  job.statusId === status.closed && job.closeDate !== null ? job.closeDate : job.publishDate;
