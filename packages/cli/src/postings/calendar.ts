const DAY_MS = 24 * 60 * 60 * 1000;
const WRITTEN_DATE = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/;

function epochDay(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

function dateOf(epochDay: number): string {
  return new Date(epochDay * DAY_MS).toISOString().slice(0, 10);
}

/** True for a real calendar date `YYYY-MM-DD`. */
export function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = epochDay(value);
  return Number.isInteger(day) && dateOf(day) === value;
}

/**
 * The calendar date of an ISO 8601 date or date-time in its own offset: `2020-11-06T23:30:00-0500` is the 6th. Returns
 * anything else unchanged.
 */
export function writtenDate(value: unknown): unknown {
  return typeof value === 'string' ? (WRITTEN_DATE.exec(value)?.[0] ?? value) : value;
}

/** The UTC date of a Unix time in seconds. Returns anything else unchanged. */
export function unixDate(value: unknown): unknown {
  if (typeof value !== 'number') return value;
  const time = new Date(value * 1000);
  return Number.isNaN(time.getTime()) ? value : time.toISOString().slice(0, 10);
}

/** Moves a date by whole days. Returns other values, and dates that would leave the years 0-9999, unchanged. */
export function shiftDate(value: unknown, days: number): unknown {
  if (days === 0 || !isCalendarDate(value)) return value;
  const shifted = dateOf(epochDay(value) + days);
  return isCalendarDate(shifted) ? shifted : value;
}

/** Whole days from one calendar date to another. */
export function daysBetween(from: string, to: string): number {
  return epochDay(to) - epochDay(from);
}

/** The UTC date of an instant. */
export function utcDate(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
