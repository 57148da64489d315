/** The service's idea of now, in epoch milliseconds. Business rules take it as an argument; deadlines do not use it. */
export interface Clock {
  readonly now: () => number;
}

/** The machine's clock, moved by `CLOCK_OFFSET_MS` so that noon and midnight can be tried. */
export function systemClock(offsetMs = 0): Clock {
  return { now: () => Date.now() + offsetMs };
}
