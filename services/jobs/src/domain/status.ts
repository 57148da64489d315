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

/** The transitions that are due at `now` and not stored, in their order, one version each. */
export function dueTransitions(stored: Timeline, now: number): Transition[] {
  const { publishDate, closeDate } = stored;
  const due: Transition[] = [];
  let next = nextTransition(stored);
  while (next && next.at <= now) {
    due.push(next);
    next = nextTransition({ publishDate, closeDate, statusId: next.statusId, version: next.version });
  }
  return due;
}

export const applyTransition = <T extends Timeline>(job: T, { statusId, version }: Transition): T => ({
  ...job,
  statusId,
  version,
});

/**
 * The job as it stands at `now`. Reading and settling agree on it, so an entity tag is the same before and after the
 * transitions are stored. A clock that moves back undoes nothing.
 */
export function applyDueTransitions<T extends Timeline>(stored: T, now: number): T {
  const last = dueTransitions(stored, now).at(-1);
  return last ? applyTransition(stored, last) : stored;
}

/** closeDate if the job is Closed, otherwise publishDate (spec, "displayDate"). */
export const displayDate = (job: Pick<Timeline, 'publishDate' | 'closeDate' | 'statusId'>): string =>
  job.statusId === status.closed && job.closeDate !== null ? job.closeDate : job.publishDate;
