export const DAY_MS = 24 * 3600_000;

export interface Noon {
  /** The offset of the services' clock. */
  readonly clockOffsetMs: number;
  /** Its time by the machine's clock. */
  readonly noonAt: number;
  /** Its time by the services' clock. */
  readonly instant: number;
}

/** Noon (12:00 UTC) `days` after today. */
export const noonOf = (days: number, now = Date.now()): number =>
  Math.floor(now / DAY_MS) * DAY_MS + DAY_MS / 2 + days * DAY_MS;

/** A clock at which this noon comes in `ms` milliseconds. */
export const noonIn = (ms: number, instant: number, now = Date.now()): Noon => ({
  clockOffsetMs: instant - ms - now,
  noonAt: now + ms,
  instant,
});

export const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

export const dayAfter = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY_MS);
