import { JobListingError } from './error.ts';

export interface RetryPolicy {
  /** How often a request is sent again. */
  readonly maxRetries: number;
  /** For all attempts and waits; a wait that would use it up is not begun. */
  readonly maxTotalMs: number;
}

/** What retries use of time and chance. */
export interface Timing {
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number;
  /** Rejects with the signal's reason once it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8000;

const RETRYABLE_STATUSES = new Set([429, 503, 504]);

/** True if sending the same request again may succeed. */
export function isRetryable(error: JobListingError): boolean {
  const { status, code, retryAfter } = error;
  // A conflict that passes by itself: an earlier attempt still runs, or a file is being scanned.
  if (status === 409) return retryAfter !== undefined;
  return RETRYABLE_STATUSES.has(status) || code === 'timeout' || code === 'connection_lost';
}

/**
 * Runs `attempt` until it succeeds, fails for good, or the policy ends the retries; then throws its last error.
 * `attempt` gets its number and the milliseconds that are left for it.
 */
export async function withRetries<T>(
  attempt: (number: number, remainingMs: number) => Promise<T>,
  { maxRetries, maxTotalMs }: RetryPolicy,
  timing: Timing,
  signal?: AbortSignal,
): Promise<T> {
  const endsAt = timing.now() + maxTotalMs;
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number, Math.max(1, endsAt - timing.now()));
    } catch (error) {
      if (!(error instanceof JobListingError) || !isRetryable(error) || number > maxRetries) throw error;
      const wait = delayAfter(number, error.retryAfter, timing.random);
      if (timing.now() + wait >= endsAt) throw error;
      await timing.sleep(wait, signal);
    }
  }
}

/** Milliseconds. Chance keeps clients that failed together from coming back together. */
function delayAfter(attempt: number, retryAfter: number | undefined, random: () => number): number {
  if (retryAfter) return retryAfter * 1000 + random() * FIRST_DELAY_MS;
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) * (0.5 + random() / 2);
}

export const realTiming: Timing = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};
