/** What is counted apart: GET and HEAD are reads, every other method is a write. */
export type Kind = 'reads' | 'writes';
export type Counts = Record<Kind, number>;

/** The one window of every limit, in seconds: it begins with each minute of the clock. */
export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;

export const kindOf = (method: string): Kind => (method === 'GET' || method === 'HEAD' ? 'reads' : 'writes');

/** The window of an instant in epoch milliseconds: how many have begun before it since 1970. */
export const windowAt = (now: number): number => Math.floor(now / WINDOW_MS);

/** Milliseconds until the window begins; negative once it has begun. */
export const msUntil = (window: number, now: number): number => window * WINDOW_MS - now;

/** Whole seconds until the window ends: rounded up, at least 1. */
export function secondsLeft(window: number, now: number): number {
  return Math.max(1, Math.ceil(msUntil(window + 1, now) / 1000));
}

/**
 * How far beyond the quota requests still go through where several gateways take part: 5 %, at least one. What
 * they tell each other is a moment old, and a client that obeys the headers of one must not be refused by another.
 */
const slackOf = (quota: number): number => Math.max(1, Math.floor(quota / 20));

/** Whether one more request goes through. A gateway alone lets exactly the quota through. */
export function isBelowQuota(quota: number, own: number, others: number): boolean {
  const limit = others > 0 ? quota + slackOf(quota) : quota;
  return own + others < limit;
}

/** What the client has left, as its answers say it. */
export const remaining = (quota: number, own: number, others: number): number =>
  Math.max(0, quota - own - others);
