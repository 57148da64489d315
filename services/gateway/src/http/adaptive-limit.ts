import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How many requests may wait for each service at once. */
export interface AdaptiveLimits {
  readonly of: (owner: string) => number;
  /** Notes how many requests wait, for whatever service. */
  readonly waiting: (requests: number) => void;
  /** Notes that a request was refused for those that wait for this service. */
  readonly exceeded: (owner: string) => void;
  /** Whether it is measured how late this process is. */
  readonly isLooking: () => boolean;
  readonly stop: () => void;
}

/** What was seen since the last look. */
export interface Seen {
  /** How much too late this process got to do something, at worst. */
  readonly lateMs: number;
  readonly exceeded: boolean;
}

const LOOK_EVERY_MS = 50;
const RESOLUTION_MS = 5;
/** A refusal waits for as long as this process is late, and is promised within 50 ms. */
const LATE_MS = 8;
const FEWER = 0.75;
/** As many keep every part of the system busy; fewer would only be slower. */
export const LEAST = 6;
const LOOKS_AFTER_BUSY = 1000 / LOOK_EVERY_MS;

/**
 * How many requests may wait for a service at once, by whether the gateway still gets to refuse the others in time:
 * where it is late, what may wait for a service whose requests are refused is a quarter less for each `LATE_MS` of it;
 * else one more, up to the limit (additive increase, multiplicative decrease). A fixed limit that suits an idle machine
 * lets the cores run full under overload, and refusals then wait as long as everything else: p99 252 ms against 38 to
 * 60 ms, at the same number of accepted requests.
 *
 * It looks while some are refused, or so many come that some could be, and for a second after: each look wakes an idle
 * process, which costs more than the look does, and 220 a second were a twentieth of what one request at a time costs here.
 * @param most for each service
 */
export function adaptLimits(most: number): AdaptiveLimits {
  /** Those that are below `most`. */
  const limits = new Map<string, number>();
  const exceeded = new Set<string>();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const busyFrom = Math.min(most, LEAST);
  let looks: NodeJS.Timeout | undefined;
  let looksLeft = 0;

  const keepLooking = () => {
    looksLeft = LOOKS_AFTER_BUSY;
    if (looks) return;
    delay.enable();
    looks = setInterval(look, LOOK_EVERY_MS).unref();
  };
  const end = () => {
    clearInterval(looks);
    looks = undefined;
    delay.disable();
  };
  const look = () => {
    const lateMs = delay.max / 1e6 - RESOLUTION_MS;
    for (const owner of new Set([...limits.keys(), ...exceeded])) {
      const seen = { lateMs, exceeded: exceeded.has(owner) };
      const next = nextLimit(limits.get(owner) ?? most, most, seen);
      if (next < most) limits.set(owner, next);
      else limits.delete(owner);
    }
    exceeded.clear();
    delay.reset();
    looksLeft -= 1;
    if (looksLeft <= 0 && limits.size === 0) end();
  };

  return {
    of: (owner) => limits.get(owner) ?? most,
    waiting: (requests) => {
      if (requests >= busyFrom) keepLooking();
    },
    exceeded: (owner) => {
      exceeded.add(owner);
      // All places may be held for long, while nobody else gets one.
      keepLooking();
    },
    isLooking: () => looks !== undefined,
    stop: end,
  };
}

/** The limit until the next look: between `LEAST`, or `most` where that is less, and `most`. */
export function nextLimit(limit: number, most: number, { lateMs, exceeded }: Seen): number {
  if (!exceeded || lateMs <= LATE_MS) return Math.min(most, limit + 1);
  return Math.max(Math.min(most, LEAST), Math.floor(limit * FEWER ** (lateMs / LATE_MS)));
}
