/** A pause between attempts that doubles while they fail. */
export interface GrowingPause {
  readonly isOver: () => boolean;
  /** Begins the next pause, of `atLeastMs` or longer, and returns its growing part in milliseconds. */
  readonly extend: (atLeastMs?: number) => number;
  /** The next pause is the first one again. One that has begun stays. */
  readonly reset: () => void;
}

export function growingPause(firstMs: number, longestMs: number): GrowingPause {
  let pauseMs = 0;
  let until = 0;
  return {
    isOver: () => performance.now() >= until,
    extend: (atLeastMs = 0) => {
      pauseMs = Math.min(pauseMs * 2 || firstMs, longestMs);
      until = performance.now() + Math.max(atLeastMs, pauseMs);
      return pauseMs;
    },
    reset: () => {
      pauseMs = 0;
    },
  };
}
