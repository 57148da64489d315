import type { Random } from '../random.ts';
import type { Expected } from './ledger.ts';
import { dayAfter } from './noon.ts';

const HALF_DAY_MS = 12 * 3600_000;
const PUBLISHED = 1;
const CLOSED = 2;
const PENDING = 3;

export interface Dates {
  readonly publishDate: string;
  readonly closeDate: string | null;
}

/** What the spec ("Transitions") says of a job, worked out without the service. */
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
  if (closeInstant(dates) <= now) return CLOSED;
  return publishInstant(dates) <= now ? PUBLISHED : PENDING;
}

/** Dates in the weeks around a day. */
export function randomDates(random: Random, day: string): Dates {
  const publishDate = dayAfter(day, random.whole(-3, 14));
  return { publishDate, closeDate: random.chance(0.3) ? null : dayAfter(day, random.whole(-2, 18)) };
}

/**
 * Lets the clock come to `now`, or past it and back: what has come stays. Returns the transitions that came, each
 * of which is told once.
 */
export function advance(job: Timeline, now: number): Expected[] {
  const come: Expected[] = [];
  const become = (statusId: number, at: number): void => {
    job.statusId = statusId;
    job.version += 1;
    come.push({ jobId: job.jobId, version: job.version, statusId, at });
  };
  const [publishAt, closeAt] = [publishInstant(job), closeInstant(job)];
  // One that closes before it would be published was never open.
  if (job.statusId === PENDING && publishAt <= now && publishAt < closeAt) become(PUBLISHED, publishAt);
  if (job.statusId !== CLOSED && closeAt <= now) become(CLOSED, closeAt);
  return come;
}
