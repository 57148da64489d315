const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Pauses after failed attempts, each up to a tenth longer, so that receivers are not hit by all at once. */
const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;
const JITTER = 0.1;
/** Retry-After is honoured within these. */
const LEAST_MS = PAUSES_MS[0];
const MOST_MS = DAY_MS;
/** An event is not tried again after this, and a webhook that has failed for as long is disabled. */
const GIVE_UP_AFTER_MS = 3 * DAY_MS;

/** How often an event has failed, and since when (epoch ms). */
export interface Failures {
  readonly failures: number;
  readonly firstFailedAt: number | null;
}

/** When an event is tried again that has just failed; null where it is given up. */
export function nextAttemptAt(
  { failures, firstFailedAt }: Failures,
  { now, retryAfterMs, random }: { now: number; retryAfterMs: number | undefined; random: number },
): number | null {
  if (isOver(firstFailedAt, now)) return null;
  const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] as number;
  return now + (waitOf(retryAfterMs) ?? Math.round(pauseMs * (1 + random * JITTER)));
}

/** Whether failures that began then have lasted too long. */
export const isOver = (since: number | null, now: number): boolean =>
  since !== null && now - since >= GIVE_UP_AFTER_MS;

/** For how long nothing is sent to a receiver that asked for it. */
export const waitOf = (retryAfterMs: number | undefined): number | undefined =>
  retryAfterMs === undefined ? undefined : Math.min(Math.max(retryAfterMs, LEAST_MS), MOST_MS);
