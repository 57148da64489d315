import type { ServiceError } from '@joblisting/contracts';

/** Sums by key. A key whose sum is back at 0 is forgotten. */
export function counts<K>() {
  const sums = new Map<K, number>();
  const get = (key: K): number => sums.get(key) ?? 0;
  return {
    get,
    add: (key: K, by: number): void => {
      const sum = get(key) + by;
      if (sum > 0) sums.set(key, sum);
      else sums.delete(key);
    },
  };
}

/**
 * Bounds the requests that wait for some work, in total and for each client.
 * @param refusal the error for one more
 */
export function waitLimiter(most: number, mostOfOne: number, refusal: () => ServiceError) {
  const byClient = counts<string>();
  let waiting = 0;

  return async <T>(client: string, work: () => Promise<T>): Promise<T> => {
    if (waiting >= most || byClient.get(client) >= mostOfOne) throw refusal();
    waiting++;
    byClient.add(client, 1);
    try {
      return await work();
    } finally {
      waiting--;
      byClient.add(client, -1);
    }
  };
}
