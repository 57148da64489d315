import type { StatusId } from '@joblisting/contracts';
import { displayDate, type Timeline } from './status.ts';

/** Where a job stands in the lists of its company: lists are of one status or of all, ordered by displayDate. */
export interface Place {
  readonly statusId: StatusId;
  readonly displayDate: string;
}

/** So many jobs more, or fewer, in a place. */
export interface Shift extends Place {
  readonly by: number;
}

export const placeOf = (job: Pick<Timeline, 'publishDate' | 'closeDate' | 'statusId'>): Place => ({
  statusId: job.statusId,
  displayDate: displayDate(job),
});

export const isSamePlace = (one: Place, other: Place): boolean =>
  one.statusId === other.statusId && one.displayDate === other.displayDate;

/**
 * What makes up for jobs that are in `place`, or in none any more, and are counted in another one, or in none: they
 * are missing in the one, and too many in the other.
 */
export const shiftsOf = (
  place: Place | undefined,
  counted: Place | undefined,
  jobs = 1,
): readonly Shift[] => [...(place ? [shift(place, jobs)] : []), ...(counted ? [shift(counted, -jobs)] : [])];

const shift = ({ statusId, displayDate: day }: Place, by: number): Shift => ({
  statusId,
  displayDate: day,
  by,
});

/** The same in as few shifts as there are places, without those that come to nothing. */
export function sumOf(shifts: readonly Shift[]): Shift[] {
  const sums = new Map<string, Shift>();
  for (const { statusId, displayDate: day, by } of shifts) {
    const key = `${statusId}/${day}`;
    sums.set(key, { statusId, displayDate: day, by: by + (sums.get(key)?.by ?? 0) });
  }
  return [...sums.values()].filter(({ by }) => by !== 0);
}

/** Whether a list of this status, or of all where there is none, shows the place. */
export const isListed = (statusId: StatusId | undefined) => (place: Place) =>
  statusId === undefined || place.statusId === statusId;

/** How many jobs a list has by the totals of its company, corrected by `shifts`. */
export function totalOf(
  totals: Readonly<Record<string, number>>,
  shifts: readonly Shift[],
  statusId: StatusId | undefined,
): number {
  const statusIds = statusId === undefined ? Object.keys(totals) : [`${statusId}`];
  const counted = statusIds.reduce((sum, id) => sum + (totals[id] ?? 0), 0);
  return shifts.filter(isListed(statusId)).reduce((sum, { by }) => sum + by, counted);
}

/** A day of a list, newest first: `before` of its jobs stand on newer days, `jobs` on this one. */
export interface Day {
  readonly date: string;
  readonly before: number;
  readonly jobs: number;
}

/** The day of the job at `offset`, from 0; undefined where the list is shorter. */
export function dayAt(places: readonly Shift[], offset: number): Day | undefined {
  const jobs = new Map<string, number>();
  for (const { displayDate: date, by } of places) jobs.set(date, by + (jobs.get(date) ?? 0));
  let before = 0;
  for (const date of [...jobs.keys()].toSorted().toReversed()) {
    const ofDay = jobs.get(date) ?? 0;
    if (offset < before + ofDay) return { date, before, jobs: ofDay };
    before += ofDay;
  }
  return undefined;
}
