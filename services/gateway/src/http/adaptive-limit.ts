import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How many requests may wait for each service at once. */
export interface AdaptiveLimits {
  readonly of: (owner: string) => number;
  /** Notes that a request was refused for those that wait for this service. */
  readonly exceeded: (owner: string) => void;
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

/**
 * How many requests may wait for a service at once, by whether the gateway still gets to refuse the others in time:
 * where it is late, what may wait for a service whose requests are refused is a quarter less for each `LATE_MS` of it;
 * else one more, up to the limit (additive increase, multiplicative decrease). A fixed limit that suits an idle machine
 * lets the cores run full under overload, and refusals then wait as long as everything else: p99 252 ms against 38 to
 * 60 ms, at the same number of accepted requests.
 * @param most for each service
 */
export function adaptLimits(most: number): AdaptiveLimits {
  const limits = new Map<string, number>();
  const exceeded = new Set<string>();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const look = setInterval(() => {
    const lateMs = delay.max / 1e6 - RESOLUTION_MS;
    for (const owner of new Set([...limits.keys(), ...exceeded])) {
      limits.set(
        owner,
        nextLimit(limits.get(owner) ?? most, most, { lateMs, exceeded: exceeded.has(owner) }),
      );
    }
    exceeded.clear();
    delay.reset();
  }, LOOK_EVERY_MS);
  look.unref();

  return {
    of: (owner) => limits.get(owner) ?? most,
    exceeded: (owner) => void exceeded.add(owner),
    stop: () => {
      clearInterval(look);
      delay.disable();
    },
  };
}

/** The limit until the next look: between `LEAST`, or `most` where that is less, and `most`. */
export function nextLimit(limit: number, most: number, { lateMs, exceeded }: Seen): number {
  if (!exceeded || lateMs <= LATE_MS) return Math.min(most, limit + 1);
  return Math.max(Math.min(most, LEAST), Math.floor(limit * FEWER ** (lateMs / LATE_MS)));
}
