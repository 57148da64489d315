import { setTimeout as delay } from 'node:timers/promises';
import { property } from '../values.ts';

/** How often and how long to retry. */
export interface RetryPolicy {
  readonly attempts: number;
  /** The first delay. Each further one doubles, with jitter. */
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** Give up if Retry-After is longer. */
  readonly longestRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 8,
  firstDelayMs: 250,
  longestDelayMs: 8_000,
  longestRetryAfterMs: 60_000,
};

const RETRYABLE_STATUSES = new Set([429, 503, 504]);
const RETRYABLE_FAILURES = new Set([
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

/** True for a status that a later attempt may avoid. */
export function isRetryableStatus(status: number): boolean {
  return RETRYABLE_STATUSES.has(status);
}

/** True for a failure of the connection, not of the request. */
export function isRetryableFailure(failure: unknown): boolean {
  return RETRYABLE_FAILURES.has(String(property(failure, 'code')));
}

/**
 * Milliseconds before attempt number `attempt` + 1, or undefined to give up. Follows `Retry-After` in seconds or as a
 * date (RFC 9110, section 10.2.3).
 */
export function retryDelay(
  attempt: number,
  retryAfter: string | undefined,
  policy: RetryPolicy,
  now: Date,
  random: () => number,
): number | undefined {
  if (attempt >= policy.attempts) return undefined;
  const backoff = Math.min(policy.firstDelayMs * 2 ** (attempt - 1), policy.longestDelayMs);
  const requestedMs = retryAfter === undefined ? 0 : retryAfterMs(retryAfter, now);
  if (requestedMs > policy.longestRetryAfterMs) return undefined;
  return requestedMs > 0 ? requestedMs + random() * policy.firstDelayMs : backoff * (0.5 + random() / 2);
}

function retryAfterMs(value: string, now: Date): number {
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now.getTime() : seconds * 1000;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** Returns false if the signal ended the sleep. */
export async function sleep(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
