import { bulkhead } from 'cockatiel';

/**
 * Work of which at most `most` is under way at once; what comes on top waits for its turn, in its order.
 * Resolves and rejects as the work does.
 */
export function atMost(most: number) {
  const slots = bulkhead(most, Infinity);
  return <T>(work: () => Promise<T>): Promise<T> => slots.execute(work);
}
