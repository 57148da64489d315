import type { Clock } from '@joblisting/service-kit';
import { LRUCache } from 'lru-cache';
import { secondsLeft, windowAt } from './quota.ts';

/** Bounds the networks that are counted in one minute; the one that failed longest ago is dropped. */
const NETWORKS = 10_000;

export type FailedAttempts = ReturnType<typeof countFailedAttempts>;

/** Counts requests without valid keys, by network and minute (API decisions, "Rate limits"). */
export function countFailedAttempts({ now }: Clock, limit: number, networks = NETWORKS) {
  const counts = new LRUCache<string, number>({ max: networks });
  let window = windowAt(now());

  return {
    /** Counts one more; true where there have been too many in this minute. */
    add: (network: string): boolean => {
      const current = windowAt(now());
      if (current !== window) counts.clear();
      window = current;
      const count = (counts.get(network) ?? 0) + 1;
      counts.set(network, count);
      return count > limit;
    },
    secondsLeft: (): number => secondsLeft(window, now()),
    size: (): number => counts.size,
  };
}
