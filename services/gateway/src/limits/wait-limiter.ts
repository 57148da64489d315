import type { ServiceError } from '@joblisting/contracts';
import { counts } from '@joblisting/service-kit/http';

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
