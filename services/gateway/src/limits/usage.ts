import type { UsageTold } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import { LRUCache } from 'lru-cache';
import { type Counts, isBelowQuota, type Kind, msUntil, remaining, secondsLeft, windowAt } from './quota.ts';

/** The most consumers that are counted for one gateway in one window. */
const CONSUMERS = 20_000;
/** The most gateways whose totals are kept; each restart makes another one. */
const GATEWAYS = 64;
/** The most totals of consumers that are kept of all other gateways: 10 MB. */
const TOTALS = 100_000;
/** The gateway whose clock is first begins a window for all, unless it is ahead by more than this. */
const AHEAD_MS = 5000;

export type UsageCounter = ReturnType<typeof countUsage>;

/** What another gateway has let through in one window. */
interface Totals {
  readonly window: number;
  readonly byConsumer: Map<number, Counts>;
}

/** Counts each consumer's reads and writes in windows of one minute, and adds the totals of the other gateways. */
export function countUsage({ now }: Clock, consumers = CONSUMERS, mostTotals = TOTALS) {
  let window = windowAt(now());
  const own = new LRUCache<number, Counts>({ max: consumers });
  /** By gateway and window, because some gateways begin the next window a moment earlier. */
  const others = new LRUCache<string, Totals>({
    max: GATEWAYS,
    maxSize: mostTotals,
    sizeCalculation: ({ byConsumer }) => Math.max(1, byConsumer.size),
  });

  const moveTo = (next: number): void => {
    window = next;
    own.clear();
    for (const [key, totals] of others) if (totals.window < next) others.delete(key);
  };

  /** Stays in a window that began early, or if the clock steps back a little. */
  const currentWindow = (): number => {
    const byClock = windowAt(now());
    if (byClock !== window && byClock + 1 !== window) moveTo(byClock);
    return window;
  };

  const othersOf = (consumerId: number, kind: Kind): number => {
    let sum = 0;
    for (const totals of others.values()) {
      if (totals.window === window) sum += totals.byConsumer.get(consumerId)?.[kind] ?? 0;
    }
    return sum;
  };

  return {
    /** Counts a request, unless the quota is used up. */
    tryTake: (consumerId: number, kind: Kind, quota: number): boolean => {
      currentWindow();
      const counts = own.get(consumerId) ?? { reads: 0, writes: 0 };
      if (!isBelowQuota(quota, counts[kind], othersOf(consumerId, kind))) return false;
      counts[kind]++;
      own.set(consumerId, counts);
      return true;
    },

    /** Undoes the count of a request, unless its window has ended. */
    giveBack: (takenIn: number, consumerId: number, kind: Kind): void => {
      const counts = takenIn === currentWindow() ? own.get(consumerId) : undefined;
      if (counts && counts[kind] > 0) counts[kind]--;
    },

    left: (consumerId: number, kind: Kind, quota: number): number => {
      currentWindow();
      return remaining(quota, own.get(consumerId)?.[kind] ?? 0, othersOf(consumerId, kind));
    },

    window: currentWindow,
    secondsLeft: (): number => secondsLeft(currentWindow(), now()),

    /** Replaces the totals of another gateway for this window or the next one. */
    fold: ({ gateway, window: reported, counts }: UsageTold): void => {
      if (reported === currentWindow() + 1 && msUntil(reported, now()) <= AHEAD_MS) moveTo(reported);
      if (reported !== window && reported !== window + 1) return;
      const key = `${gateway} ${reported}`;
      const { byConsumer } = others.get(key) ?? { byConsumer: new Map<number, Counts>() };
      for (const { consumerId, reads, writes } of counts) {
        if (byConsumer.size < consumers || byConsumer.has(consumerId)) {
          byConsumer.set(consumerId, { reads, writes });
        }
      }
      others.set(key, { window: reported, byConsumer });
    },

    /** What this gateway has let through in this window. */
    totals: (): UsageTold['counts'] => {
      currentWindow();
      return [...own].map(([consumerId, { reads, writes }]) => ({ consumerId, reads, writes }));
    },
  };
}
