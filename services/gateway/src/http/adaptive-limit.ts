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
const TICK_MS = 5;
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
 *
 * It looks only while requests are refused, and until the limits are as they were: each look at the clock wakes an idle
 * process, which costs more than the look, and 220 a second were a twentieth of what one request at a time costs here.
 * @param most for each service
 */
export function adaptLimits(most: number): AdaptiveLimits {
  /** Those that are below `most`. */
  const limits = new Map<string, number>();
  const exceeded = new Set<string>();
  let ticks: NodeJS.Timeout | undefined;
  let isStopped = false;
  let lastTick = 0;
  let lastLook = 0;
  let lateMs = 0;

  const begin = () => {
    lastTick = lastLook = performance.now();
    lateMs = 0;
    ticks = setInterval(tick, TICK_MS).unref();
  };
  const end = () => {
    clearInterval(ticks);
    ticks = undefined;
  };

  /** Where each turn of the event loop takes longer than a look, there is one look for each of them. */
  const tick = () => {
    const now = performance.now();
    lateMs = Math.max(lateMs, now - lastTick - TICK_MS);
    lastTick = now;
    if (now - lastLook < LOOK_EVERY_MS) return;
    lastLook = now;
    look();
    lateMs = 0;
  };

  const look = () => {
    for (const owner of new Set([...limits.keys(), ...exceeded])) {
      const seen = { lateMs, exceeded: exceeded.has(owner) };
      const next = nextLimit(limits.get(owner) ?? most, most, seen);
      if (next < most) limits.set(owner, next);
      else limits.delete(owner);
    }
    if (limits.size === 0 && exceeded.size === 0) end();
    exceeded.clear();
  };

  return {
    of: (owner) => limits.get(owner) ?? most,
    exceeded: (owner) => {
      exceeded.add(owner);
      if (!ticks && !isStopped) begin();
    },
    stop: () => {
      isStopped = true;
      end();
    },
  };
}

/** The limit until the next look: between `LEAST`, or `most` where that is less, and `most`. */
export function nextLimit(limit: number, most: number, { lateMs, exceeded }: Seen): number {
  if (!exceeded || lateMs <= LATE_MS) return Math.min(most, limit + 1);
  return Math.max(Math.min(most, LEAST), Math.floor(limit * FEWER ** (lateMs / LATE_MS)));
}
