import type { Limited } from './outcome.ts';

/** What bitly leaves open: its limits begin anew each minute and each hour, those of a plan each month. */
const WITHOUT_MS = 60_000;
const SHORTEST_MS = 1000;
/** No header makes the service wait for longer than bitly's longest period but the month. */
export const LONGEST_PAUSE_MS = 3_600_000;

/**
 * Until when a limit asks to be left alone, in epoch milliseconds: seconds or a date (RFC 9110, section 10.2.3),
 * within a second and an hour from `now`; where there is no such header a minute, or an hour for a monthly limit.
 */
export function retryAt({ retryAfter, isMonthly }: Omit<Limited, 'kind'>, now: number): number {
  const ms = pauseOf(retryAfter?.trim() ?? '', now) ?? (isMonthly ? LONGEST_PAUSE_MS : WITHOUT_MS);
  return now + Math.min(Math.max(ms, SHORTEST_MS), LONGEST_PAUSE_MS);
}

function pauseOf(value: string, now: number): number | undefined {
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = /^[A-Z][a-z]+,? .*\d/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at - now;
}
