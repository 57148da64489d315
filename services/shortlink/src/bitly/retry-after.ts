/** What bitly leaves open: its limits begin anew each minute and each hour. */
const WITHOUT_MS = 60_000;
const SHORTEST_MS = 1000;
/** No header makes the service wait for longer than bitly's longest period but the month. */
export const LONGEST_PAUSE_MS = 3_600_000;

/**
 * Until when a 429 asks to be left alone, in epoch milliseconds: seconds or a date (RFC 9110, section 10.2.3),
 * within a second and an hour from `now`; a minute where there is no such header.
 */
export function retryAt(retryAfter: string | null, now: number): number {
  const ms = pauseOf(retryAfter?.trim() ?? '', now);
  return now + Math.min(Math.max(ms, SHORTEST_MS), LONGEST_PAUSE_MS);
}

function pauseOf(value: string, now: number): number {
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = /^[A-Z][a-z]+,? .*\d/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? WITHOUT_MS : at - now;
}
