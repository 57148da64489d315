import { setTimeout as delay } from 'node:timers/promises';

export type WaitOptions = {
  /** When to give up, in milliseconds. */
  limitMs?: number;
  /** How long to rest between two looks, in milliseconds. */
  everyMs?: number;
  /** What is missing, for the message of the error; a function can name what is still missing then. */
  what: string | (() => string);
};

/**
 * Looks again and again until `condition` answers something true, and returns that. A condition that throws
 * counts as not yet true.
 * @throws Error after `limitMs`, with the condition's last error as its cause.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { limitMs = 10_000, everyMs = 20, what }: WaitOptions,
): Promise<NonNullable<T>> {
  const limit = performance.now() + limitMs;
  for (;;) {
    let cause: unknown;
    try {
      const answer = await condition();
      if (answer) return answer;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= limit) {
      const missing = typeof what === 'string' ? what : what();
      throw new Error(`Waited ${limitMs} ms for ${missing}.`, { cause });
    }
    await delay(everyMs);
  }
}
