import { AsyncResource } from 'node:async_hooks';

interface Asked<T> {
  readonly item: T;
  readonly context: AsyncResource;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets all who ask for the same key while a run for it is under way share the next run: it begins after all of them
 * have asked, so each finds done what it came for. A run that fails is the failure of all who share it, and of nobody
 * else. Whoever asks alone notices nothing. One that is stuck is waited for, until the socket's time-out at the latest:
 * a second one beside it would do all of its work again. A run is a part of the trace of the first who asked for it.
 * @param run does what all of them need
 */
export function sharedRuns<K extends string | number, T>(
  run: (key: K, items: readonly T[]) => Promise<void>,
) {
  /** There is a queue, though an empty one, as long as a run is under way. */
  const queues = new Map<K, Asked<T>[]>();

  const runFor = async (key: K, group: readonly Asked<T>[]): Promise<void> => {
    const [first] = group;
    if (!first) return;
    try {
      await first.context.runInAsyncScope(() =>
        run(
          key,
          group.map(({ item }) => item),
        ),
      );
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  const work = async (key: K, first: Asked<T>): Promise<void> => {
    for (let group = [first]; group.length > 0; group = queues.get(key) ?? []) {
      queues.set(key, []);
      await runFor(key, group);
    }
    queues.delete(key);
  };

  return (key: K, item: T): Promise<void> =>
    new Promise((resolve, reject) => {
      const asked = { item, context: new AsyncResource('Run'), resolve, reject };
      const queue = queues.get(key);
      if (queue) queue.push(asked);
      else void work(key, asked);
    });
}
