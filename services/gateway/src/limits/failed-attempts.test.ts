import { describe, expect, it } from '@jest/globals';
import { testClock } from '@joblisting/testing';
import { countFailedAttempts } from './failed-attempts.ts';

const start = (limit: number, networks?: number) => {
  const clock = testClock('2026-11-20T12:00:18.500Z');
  return { clock, failures: countFailedAttempts(clock, limit, networks) };
};

describe('failed attempts', () => {
  it('are too many past the limit, until the minute is over', () => {
    const { clock, failures } = start(2);
    expect(['a', 'a', 'a', 'b'].map(failures.add)).toEqual([false, false, true, false]);
    expect(failures.secondsLeft()).toBe(42);
    clock.advance(41_500);
    expect(['a', 'a', 'a'].map(failures.add)).toEqual([false, false, true]);
  });

  it('are bounded in number: the network that failed longest ago goes', () => {
    const { failures } = start(1, 2);
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(failures.add)).toEqual([
      false,
      false,
      true,
      false,
      true,
      false,
    ]);
    expect(failures.size()).toBe(2);
  });

  it('of past minutes are forgotten', () => {
    const { clock, failures } = start(1);
    for (let each = 0; each < 1000; each++) failures.add(String(each));
    clock.advance(60_000);
    failures.add('a');
    expect(failures.size()).toBe(1);
  });
});
