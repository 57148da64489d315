const DAY_MS = 86_400_000;
const NOON_MS = DAY_MS / 2;

/** Clocks of two machines differ a little: a last instant this far ahead is another replica's, not a clock set back. */
const SKEW_MS = 60_000;

/** The most missed instants to publish. Consumers read what is due from their data, so more would add nothing. */
export const MAX_MISSED = 31;

/** The last 12:00 UTC, when dates take effect (spec, "Transitions"), in epoch milliseconds as all instants here. */
export const latestInstant = (now: number): number => Math.floor((now - NOON_MS) / DAY_MS) * DAY_MS + NOON_MS;

/**
 * The instants to publish now, oldest first, given the last one published. If there was none, or the clock was set back
 * before it, that is only the latest.
 */
export function instantsDue(last: number | undefined, now: number): number[] {
  const latest = latestInstant(now);
  if (last === undefined || last - now > SKEW_MS) return [latest];
  const missed = Math.min((latest - latestInstant(last)) / DAY_MS, MAX_MISSED);
  return Array.from({ length: Math.max(missed, 0) }, (_, index) => latest - (missed - 1 - index) * DAY_MS);
}
