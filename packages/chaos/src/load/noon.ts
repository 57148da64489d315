export const DAY_MS = 24 * 3600_000;

export interface Noon {
  /** The clock offset with which it comes. */
  readonly clockOffsetMs: number;
  /** When it comes by the machine's own clock. */
  readonly noonAt: number;
  /** When it comes by the services' clock. */
  readonly instant: number;
}

/** The noon (12:00 UTC) of the date that is `days` after today's. */
export const noonOf = (days: number, now = Date.now()): number =>
  Math.floor(now / DAY_MS) * DAY_MS + DAY_MS / 2 + days * DAY_MS;

/** The clock offset with which it is that noon in `ms` milliseconds. */
export const noonIn = (ms: number, instant: number, now = Date.now()): Noon => ({
  clockOffsetMs: instant - ms - now,
  noonAt: now + ms,
  instant,
});

/** The date at an instant. */
export const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** The date `days` after another. */
export const dayAfter = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY_MS);
