/** A clock that stands still until the test moves it. */
export type TestClock = {
  /** Milliseconds since the epoch, as `Date.now()`. */
  now: () => number;
  /** Moves to an instant such as `2026-03-01T12:00:00Z`. */
  set: (iso: string) => void;
  /** Moves by milliseconds; back if negative. */
  advance: (ms: number) => void;
};

/** Makes a clock that shows `startIso`. @throws RangeError when that is no instant. */
export function testClock(startIso: string): TestClock {
  let current = instant(startIso);
  return {
    now: () => current,
    set: (iso) => {
      current = instant(iso);
    },
    advance: (ms) => {
      current += ms;
    },
  };
}

function instant(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new RangeError(`"${iso}" is not an instant.`);
  return ms;
}
