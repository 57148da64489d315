import { setTimeout as delay } from 'node:timers/promises';
import { property } from '../postings/json.ts';

/** How long to go on after answers and failures that may pass. */
export interface RetryPolicy {
  readonly attempts: number;
  /** The first wait; each further one is twice as long, with jitter. */
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** A longer Retry-After is not waited out. */
  readonly longestRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 8,
  firstDelayMs: 250,
  longestDelayMs: 8_000,
  longestRetryAfterMs: 60_000,
};

const PASSING_STATUSES = new Set([429, 503, 504]);
const PASSING_FAILURES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** True for an answer that asks to try again later. */
export function mayPass(status: number): boolean {
  return PASSING_STATUSES.has(status);
}

/** True for a failure of the connection, rather than of the request. */
export function mayPassFailure(failure: unknown): boolean {
  return PASSING_FAILURES.has(String(property(failure, 'code')));
}

/**
 * Milliseconds to wait before attempt number `attempt` + 1, or undefined to give up. `Retry-After` is taken at
 * its word, in seconds or as a date (RFC 9110, section 10.2.3).
 */
export function waitBefore(
  attempt: number,
  retryAfter: string | undefined,
  policy: RetryPolicy,
  now: Date,
  random: () => number,
): number | undefined {
  if (attempt >= policy.attempts) return undefined;
  const backoff = Math.min(policy.firstDelayMs * 2 ** (attempt - 1), policy.longestDelayMs);
  const asked = retryAfter === undefined ? 0 : retryAfterMs(retryAfter, now);
  if (asked > policy.longestRetryAfterMs) return undefined;
  return asked > 0 ? asked + random() * policy.firstDelayMs : backoff * (0.5 + random() / 2);
}

function retryAfterMs(value: string, now: Date): number {
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now.getTime() : seconds * 1000;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** Waits; false when the signal came first. */
export async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
