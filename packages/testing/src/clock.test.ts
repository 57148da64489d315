import { describe, expect, it } from '@jest/globals';
import { testClock } from './clock.ts';

describe('testClock', () => {
  it('stands still until the test moves it', () => {
    const clock = testClock('2026-03-01T11:59:59Z');
    expect(clock.now()).toBe(Date.UTC(2026, 2, 1, 11, 59, 59));
    clock.advance(1000);
    expect(clock.now()).toBe(Date.UTC(2026, 2, 1, 12));
    clock.set('2020-01-01T00:00:00Z');
    expect(clock.now()).toBe(Date.UTC(2020, 0, 1));
  });

  it('throws RangeError for text that is not an instant', () => {
    expect(() => testClock('noon')).toThrow(RangeError);
  });
});
