import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.ts';

const read = (...args: string[]) => readOptions(args, ['kills', 'freezes', 'soak'], () => 42, ['freezes']);

describe('readOptions', () => {
  it('runs all experiments at full scale with a new seed by default', () => {
    expect(read()).toEqual({
      scale: 'full',
      names: ['kills', 'freezes', 'soak'],
      seed: 42,
      soakMinutes: 30,
      obeyMinutes: 10,
      markdown: false,
    });
  });

  it.each([
    [['--scale', 'ci'], { scale: 'ci', soakMinutes: 0.1, obeyMinutes: 0.1, names: ['kills', 'soak'] }],
    [['--scale', 'ci', '--only', 'freezes'], { names: ['freezes'] }],
    [['--only', 'freezes'], { names: ['freezes'] }],
    [['--only', 'freezes,kills'], { names: ['kills', 'freezes'] }],
    [['--skip', 'soak,freezes'], { names: ['kills'] }],
    [['--only', 'soak,freezes', '--skip', 'soak'], { names: ['freezes'] }],
    [['--seed', '7'], { seed: 7 }],
    [['--soak-minutes', '2'], { soakMinutes: 2 }],
    [['--obey-minutes', '0.5'], { obeyMinutes: 0.5 }],
    [['--markdown'], { markdown: true }],
  ])('accepts %j', (args, expected) => {
    expect(read(...args)).toMatchObject(expected);
  });

  it.each([
    [['--scale', 'half'], '--scale is "half"'],
    [['--only', 'kills,nothing'], '--only: unknown nothing; known are kills, freezes, soak'],
    [['--skip', 'nothing'], '--skip: unknown nothing; known are'],
    [['--seed', 'x'], '--seed must be a whole number'],
    [['--soak-minutes', '0'], '--soak-minutes must be a number above 0'],
    [['--obey-minutes', 'long'], '--obey-minutes must be a number above 0'],
    [['--what'], '--what'],
  ])('rejects %j', (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });
});
