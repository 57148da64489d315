import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.ts';

const read = (...args: string[]) => readOptions(args, ['kills', 'freezes'], () => 42);

describe('readOptions', () => {
  it('runs everything at full scale with a new seed by default', () => {
    expect(read()).toEqual({ scale: 'full', only: ['kills', 'freezes'], seed: 42, soakMinutes: 30 });
  });

  it.each([
    [['--scale', 'ci'], { scale: 'ci', soakMinutes: 0.2 }],
    [['--only', 'freezes'], { only: ['freezes'] }],
    [['--seed', '7'], { seed: 7 }],
    [['--soak-minutes', '2'], { soakMinutes: 2 }],
  ])('takes %j', (args, expected) => {
    expect(read(...args)).toMatchObject(expected);
  });

  it.each([
    [['--scale', 'half'], '--scale is "half"'],
    [['--only', 'kills,nothing'], 'no nothing; there are kills, freezes'],
    [['--seed', 'x'], '--seed takes a whole number'],
    [['--soak-minutes', '0'], '--soak-minutes takes a number above 0'],
    [['--what'], '--what'],
  ])('refuses %j', (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });
});
