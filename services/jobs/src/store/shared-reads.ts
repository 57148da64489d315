import { inGroups } from '@joblisting/service-kit';

export interface SharedReadsOptions<K, V> {
  /** Reads these, each once, in any order, some at a time. What is not there is left out. */
  readonly readMany: (keys: readonly K[]) => AsyncIterable<readonly V[]>;
  /** Reads a single one, where that costs less. */
  readonly readOne?: (key: K) => Promise<V | undefined>;
  readonly keyOf: (value: V) => K;
}

interface Asked<K, V> {
  readonly key: K;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets reads that come in one turn of the event loop, or while one is under way, share the next one. With 32 requests
 * at once a job then costs the service and the gateway about half the CPU, and the database a third; a single reader
 * notices nothing. Each read begins after it was asked for, so whoever has written sees it. Who shares a read gets its
 * value as soon as that is there, with the few that come beside it, so that large ones neither pile up nor hold up all.
 * A read that fails is the failure of all who still wait for it, and of nobody else.
 */
export function sharedReads<K, V>({ readMany, readOne, keyOf }: SharedReadsOptions<K, V>) {
  const readAll = async (asked: readonly Asked<K, V>[]): Promise<void> => {
    const unread = Map.groupBy(asked, ({ key }) => key);
    try {
      for await (const some of readMany([...unread.keys()])) {
        for (const value of some) {
          const key = keyOf(value);
          for (const { resolve } of unread.get(key) ?? []) resolve(value);
          unread.delete(key);
        }
        if (unread.size === 0) return;
      }
      for (const { resolve } of [...unread.values()].flat()) resolve(undefined);
    } catch (error) {
      for (const { reject } of [...unread.values()].flat()) reject(error);
    }
  };

  const read = async (asked: readonly Asked<K, V>[]): Promise<void> => {
    const [single] = asked;
    if (!readOne || !single || asked.length > 1) return readAll(asked);
    try {
      single.resolve(await readOne(single.key));
    } catch (error) {
      single.reject(error);
    }
  };

  const ask = inGroups(read);

  /** Resolves to what is there, or undefined. Rejects as `readMany` does. */
  return (key: K): Promise<V | undefined> => new Promise((resolve, reject) => ask({ key, resolve, reject }));
}
