import { setTimeout as delay } from 'node:timers/promises';

export type WaitOptions = {
  /** Gives up after so many milliseconds. */
  limitMs?: number;
  /** Pause between two checks, in milliseconds. */
  everyMs?: number;
  /** What it waits for, for the error's message; a function can name what is missing at the end. */
  what: string | (() => string);
};

/**
 * Checks until `condition` returns something truthy, and returns that. A condition that throws counts as not yet true.
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
      const result = await condition();
      if (result) return result;
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

/** Does the work for every item, `atOnce` at a time. */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let item = iterator.next(); !item.done; item = iterator.next()) await work(item.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
