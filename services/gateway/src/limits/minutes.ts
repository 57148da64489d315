/** The one window of every limit, in seconds: it begins with each minute of the clock. */
export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;

/** The window of an instant in epoch milliseconds: how many have begun before it since 1970. */
export const windowAt = (now: number): number => Math.floor(now / WINDOW_MS);

/** How long before its beginning it is, in milliseconds; negative once it has begun. */
export const msUntil = (window: number, now: number): number => window * WINDOW_MS - now;

/** Whole seconds until the window ends: rounded up, at least 1. */
export function secondsLeft(window: number, now: number): number {
  return Math.max(1, Math.ceil(msUntil(window + 1, now) / 1000));
}
