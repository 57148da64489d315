/** What `RateLimit` said (draft-ietf-httpapi-ratelimit-headers-11, section 4). */
export interface Limit {
  /** Requests that are left. */
  readonly left: number;
  /** Seconds until there are more. */
  readonly seconds: number;
}

/** Reads `"writes";r=12;t=30`; undefined where it says something else. */
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

/** Two answers of one window tell its end in whole seconds, rounded up. */
const SAME_WINDOW_MS = 2000;
const ASK_AGAIN_MS = 10;

/**
 * When a client that obeys the headers sends next. It knows the limit only from answers: in a new window one request
 * goes ahead to ask. What is under way it takes for not counted yet, and answers may overtake each other.
 * @param isPaced spreads what is left evenly over the time that is left; otherwise it sends until nothing is left.
 */
export function pacer(isPaced: boolean) {
  let left = 0;
  let resetAt = -Infinity;
  let nextAt = -Infinity;
  let underWay = 0;
  return {
    /** How long to wait before the next request, in milliseconds; `now` is the monotonic clock. */
    waitMs: (now: number): number => {
      if (now >= resetAt) return underWay > 0 ? ASK_AGAIN_MS : 0;
      return Math.max(0, left <= 0 ? resetAt - now : nextAt - now);
    },
    sent: (): void => {
      left -= 1;
      underWay += 1;
    },
    /** @param limit undefined where there was no answer, or one that says nothing */
    heard: (limit: Limit | undefined, now: number): void => {
      underWay -= 1;
      if (!limit) return;
      const endsAt = now + limit.seconds * 1000;
      if (endsAt < resetAt - SAME_WINDOW_MS) return;
      const isNew = endsAt > resetAt + SAME_WINDOW_MS;
      left = Math.min(limit.left - underWay, isNew ? Infinity : left);
      resetAt = endsAt;
      if (isPaced) nextAt = now + (left > 0 ? (resetAt - now) / left : 0);
    },
  };
}
