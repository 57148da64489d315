import { inTime } from './in-time.ts';

/**
 * One piece of work at a time for each key. Resolves as `work` does; rejects with `refusal()`, the work not begun,
 * where its turn has not come by `giveUpAt` (epoch ms).
 */
export type InTurn = <T>(
  key: string,
  giveUpAt: number,
  refusal: () => Error,
  work: () => Promise<T>,
) => Promise<T>;

/** Queues inside this process. They hold no more than the requests that the service takes at once. */
export function turns(): InTurn {
  const tails = new Map<string, Promise<void>>();

  return async (key, giveUpAt, refusal, work) => {
    const before = tails.get(key);
    const ended = Promise.withResolvers<void>();
    const tail = before ? before.then(() => ended.promise) : ended.promise;
    tails.set(key, tail);
    try {
      if (before) await inTime(before, giveUpAt, refusal);
      return await work();
    } finally {
      ended.resolve();
      // Whoever has given up still stands in the queue until those before it are done.
      void tail.then(() => (tails.get(key) === tail ? tails.delete(key) : undefined));
    }
  };
}
