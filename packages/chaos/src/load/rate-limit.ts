/** The field `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11, section 4). */
export interface Limit {
  /** Remaining requests. */
  readonly left: number;
  /** Seconds until the next window. */
  readonly seconds: number;
}

/** Parses a value such as `"writes";r=12;t=30`; undefined for anything else. */
export function readLimit(field: string | null): Limit | undefined {
  const item = /^"[^"]+"((?:;\s*[a-z]+=\d+)+)$/.exec(field ?? '')?.[1];
  if (item === undefined) return undefined;
  const parameters = new Map(
    item
      .split(';')
      .slice(1)
      .map((parameter) => parameter.trim().split('='))
      .map(([name, value]) => [name, Number(value)]),
  );
  const [left, seconds] = [parameters.get('r'), parameters.get('t')];
  return left === undefined || seconds === undefined ? undefined : { left, seconds };
}

/** Answers of one window differ by this much about its end, which they round up to seconds. */
const SAME_WINDOW_MS = 2000;
const RETRY_MS = 10;

/**
 * Decides when a client that obeys the headers sends next. It learns the limit from answers only, so the first request
 * of a window goes alone. It assumes that running requests are not counted yet, and that answers come in any order.
 * @param isPaced spreads the remaining requests evenly over the remaining time
 */
export function pacer(isPaced: boolean) {
  let left = 0;
  let resetAt = -Infinity;
  let nextAt = -Infinity;
  let running = 0;
  return {
    /** How long to wait before the next request, in milliseconds; `now` is the monotonic clock. */
    waitMs: (now: number): number => {
      if (now >= resetAt) return running > 0 ? RETRY_MS : 0;
      return Math.max(0, left <= 0 ? resetAt - now : nextAt - now);
    },
    sent: (): void => {
      left -= 1;
      running += 1;
    },
    /** @param limit undefined without an answer or without the field */
    answered: (limit: Limit | undefined, now: number): void => {
      running -= 1;
      if (!limit) return;
      const endsAt = now + limit.seconds * 1000;
      if (endsAt < resetAt - SAME_WINDOW_MS) return;
      const isNew = endsAt > resetAt + SAME_WINDOW_MS;
      left = Math.min(limit.left - running, isNew ? Infinity : left);
      resetAt = endsAt;
      if (isPaced) nextAt = now + (left > 0 ? (resetAt - now) / left : 0);
    },
  };
}
