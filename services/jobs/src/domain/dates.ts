/**
 * Calendar dates (`YYYY-MM-DD`) and the instants, in milliseconds since the epoch, at which they take effect
 * (spec, "Transitions").
 */

const HALF_DAY = 12 * 3600_000;

/** When a publishDate takes effect: 12:00 UTC on the day before, as the first time zone reaches the date. */
export const publishInstant = (date: string): number => Date.parse(date) - HALF_DAY;

/** When a closeDate takes effect: 12:00 UTC on that day, as the last time zone passes the date. */
export const closeInstant = (date: string): number => Date.parse(date) + HALF_DAY;

/** The date whose {@link publishInstant} this is. */
export const publishDateAt = (instant: number): string => dateOf(instant + HALF_DAY);

/** The date whose {@link closeInstant} this is; at any other instant the latest date that has closed. */
export const closeDateAt = (instant: number): string => dateOf(instant - HALF_DAY);

/** The UTC date at an instant. */
export const dateOf = (instant: number): string => dateOfDay(Math.floor(instant / DAY));

const DAY = 24 * 3600_000;
/** Eleven years. */
const MAX_DAYS = 4096;
const dates = new Map<number, string>();

/** Jobs share few days, so their texts are cached: formatting a date is slow. */
function dateOfDay(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * DAY).toISOString().slice(0, 10);
  if (dates.size >= MAX_DAYS) dates.clear();
  dates.set(day, date);
  return date;
}
