import type { Clock } from '@joblisting/service-kit';
import { dropFirst } from './drop-first.ts';
import { secondsLeft, windowAt } from './minutes.ts';

/** The most networks that are counted in one minute; the one that failed longest ago goes. */
const NETWORKS = 10_000;

export type FailedAttempts = ReturnType<typeof countFailedAttempts>;

/** Counts requests without valid keys, by network and minute (API decisions, "Rate limits"). */
export function countFailedAttempts({ now }: Clock, limit: number, networks = NETWORKS) {
  let window = windowAt(now());
  let counts = new Map<string, number>();

  return {
    /** Counts one more; true where there have been too many in this minute. */
    add: (network: string): boolean => {
      const at = windowAt(now());
      if (at !== window) {
        window = at;
        counts = new Map();
      }
      const count = (counts.get(network) ?? 0) + 1;
      counts.delete(network);
      counts.set(network, count);
      if (counts.size > networks) dropFirst(counts);
      return count > limit;
    },
    secondsLeft: (): number => secondsLeft(window, now()),
    /** How many networks are counted now. */
    size: (): number => counts.size,
  };
}
