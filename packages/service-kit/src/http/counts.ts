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
