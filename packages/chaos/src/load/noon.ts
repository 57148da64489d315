const DAY_MS = 24 * 3600_000;

/** The clock offset with which it is noon (12:00 UTC) in `ms` milliseconds, and the date of that noon. */
export function noonIn(ms: number, now = Date.now()): { clockOffsetMs: number; noonAt: number; day: string } {
  const noon = Math.floor(now / DAY_MS) * DAY_MS + DAY_MS / 2;
  return {
    clockOffsetMs: noon - ms - now,
    /** When that noon comes by the machine's own clock. */
    noonAt: now + ms,
    day: new Date(noon).toISOString().slice(0, 10),
  };
}

/** The date `days` after another. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
