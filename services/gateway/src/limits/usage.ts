import type { UsageTold } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import { msUntil, secondsLeft, windowAt } from './minutes.ts';
import { hasRoom, type Kind, remaining, urgentShare } from './quota.ts';
import {
  type Frame,
  hear,
  newFrame,
  takeWaiting,
  type Told,
  type Usage,
  usageIn,
  wait,
  waitAll,
} from './usage-frame.ts';

/** The most consumers that are counted in one window. */
const CONSUMERS = 20_000;
/** The gateway whose clock is first begins a window for all, unless it is ahead by more than this. */
const AHEAD_MS = 5000;

export type UsageCounter = ReturnType<typeof countUsage>;

/**
 * Counts each consumer's reads and writes in windows of one minute, with what other gateways tell of theirs. Only
 * the window that is now is kept, and the next one where another gateway's clock is far ahead.
 */
export function countUsage({ now }: Clock, consumers = CONSUMERS) {
  let current = newFrame(windowAt(now()));
  let next: Frame | undefined;
  let hurry: () => void = () => undefined;

  const moveTo = (window: number): void => {
    current = next?.window === window ? next : newFrame(window);
    next = undefined;
  };

  /** The window that is now. One that began early, or before the clock stepped back a little, goes on. */
  const settle = (): Frame => {
    const window = windowAt(now());
    if (current.window !== window && current.window !== window + 1) moveTo(window);
    return current;
  };

  const change = (usage: Usage, kind: Kind, by: 1 | -1, quota: number): void => {
    usage.own[kind] += by;
    wait(current, usage);
    if (Math.abs(usage.own[kind] - usage.told[kind]) >= urgentShare(quota)) hurry();
  };

  return {
    /** Counts a request, unless the quota is used up. */
    take: (consumerId: number, kind: Kind, quota: number): boolean => {
      const usage = usageIn(settle(), consumerId, consumers);
      if (!hasRoom(quota, usage.own[kind], usage.others[kind])) return false;
      change(usage, kind, 1, quota);
      return true;
    },

    /** Takes back one that was counted in this window; of an older one nothing is left to take it from. */
    giveBack: (window: number, consumerId: number, kind: Kind, quota: number): void => {
      const usage = settle().usages.get(consumerId);
      if (usage && window === current.window && usage.own[kind] > 0) change(usage, kind, -1, quota);
    },

    left: (consumerId: number, kind: Kind, quota: number): number => {
      const usage = settle().usages.get(consumerId);
      return remaining(quota, usage?.own[kind] ?? 0, usage?.others[kind] ?? 0);
    },

    window: (): number => settle().window,
    secondsLeft: (): number => secondsLeft(settle().window, now()),

    /** Takes what another gateway has told: its totals of a window. Those of past windows mean nothing any more. */
    hear: ({ gateway, window, counts }: UsageTold): void => {
      if (window === settle().window + 1) {
        if (msUntil(window, now()) <= AHEAD_MS) moveTo(window);
        else next ??= newFrame(window);
      }
      const frame = window === current.window ? current : next;
      if (frame?.window !== window) return;
      for (const [consumerId, reads, writes] of counts) {
        hear(usageIn(frame, consumerId, consumers), gateway, { reads, writes });
      }
    },

    /** The totals that the others do not know yet; from now on they do. */
    changes: (): Told => takeWaiting(settle()),

    /** Somebody knows nothing of this gateway: its totals are to be told again. */
    tellAll: (): void => waitAll(settle()),

    /** Names who is to hear that changes should not wait for the next turn. */
    onHurry: (heard: () => void): void => {
      hurry = heard;
    },

    /** How many consumers are counted now. */
    size: (): number => current.usages.size + (next?.usages.size ?? 0),
  };
}
