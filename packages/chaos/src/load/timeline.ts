import { status } from '@joblisting/contracts';
import type { Random } from '../random.ts';
import type { Expected } from './ledger.ts';
import { dayAfter } from './noon.ts';

const HALF_DAY_MS = 12 * 3600_000;

export interface Dates {
  readonly publishDate: string;
  readonly closeDate: string | null;
}

/** The expected state of a job by the spec ("Transitions"), independent of the service's code. */
export interface Timeline extends Dates {
  readonly jobId: number;
  statusId: number;
  version: number;
}

/** A publishDate takes effect at 12:00 UTC on the day before, a closeDate at 12:00 UTC on its day. */
const publishInstant = ({ publishDate }: Dates): number => Date.parse(publishDate) - HALF_DAY_MS;
const closeInstant = ({ closeDate }: Dates): number =>
  closeDate === null ? Infinity : Date.parse(closeDate) + HALF_DAY_MS;

export function statusAt(dates: Dates, now: number): number {
  if (closeInstant(dates) <= now) return status.closed;
  return publishInstant(dates) <= now ? status.published : status.pending;
}

/** Random dates in the weeks around a day. */
export function randomDates(random: Random, day: string): Dates {
  const publishDate = dayAfter(day, random.whole(-3, 14));
  return { publishDate, closeDate: random.chance(0.3) ? null : dayAfter(day, random.whole(-2, 18)) };
}

/** Applies the transitions that are due by `now` and returns them. A clock that goes back undoes nothing. */
export function advance(job: Timeline, now: number): Expected[] {
  const transitions: Expected[] = [];
  const become = (statusId: number, at: number): void => {
    job.statusId = statusId;
    job.version += 1;
    transitions.push({ jobId: job.jobId, version: job.version, statusId, at });
  };
  const [publishAt, closeAt] = [publishInstant(job), closeInstant(job)];
  // A job that closes before it would be published is never Published.
  if (job.statusId === status.pending && publishAt <= now && publishAt < closeAt)
    become(status.published, publishAt);
  if (job.statusId !== status.closed && closeAt <= now) become(status.closed, closeAt);
  return transitions;
}
