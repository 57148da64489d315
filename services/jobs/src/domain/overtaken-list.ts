import { status, type StatusId } from '@joblisting/contracts';
import type { ListedJob } from './job.ts';
import { applyDueTransitions, displayDate, type Timeline } from './status.ts';

/** How many jobs stand in another list now than they are stored in. */
export interface Overtaken {
  /** Published ones that are closed by now. */
  readonly closed: number;
  /** Pending ones that are published by now. */
  readonly published: number;
}

/** A stored job as its lists show it at `now`, epoch milliseconds. */
export function listedAt(stored: ListedJob, timeline: Timeline, now: number): ListedJob {
  const job = applyDueTransitions(timeline, now);
  return { ...stored, statusId: job.statusId, displayDate: displayDate(job) };
}

/** How much longer or shorter a list is than the one stored: of one status, or of all. */
export function growthOf(statusId: StatusId | undefined, { closed, published }: Overtaken): number {
  if (statusId === status.closed) return closed;
  if (statusId === status.published) return published - closed;
  return statusId === status.pending ? -published : 0;
}

/** Newest displayDate first, then the highest id (API decisions, "Paging"). */
export const inListOrder = (one: ListedJob, other: ListedJob): number =>
  other.displayDate < one.displayDate ? -1 : other.displayDate > one.displayDate ? 1 : other.id - one.id;
