import { describe, expect, it } from '@jest/globals';
import { readFuzzOptions } from './options.ts';

const read = (...args: string[]) => readFuzzOptions(args, () => 99);

describe('readFuzzOptions', () => {
  it('defaults to a small run with a fixed seed', () => {
    expect(read()).toEqual({ maxExamples: 15, maxSeconds: undefined, seed: 1 });
  });

  it('chooses a new seed for a full run', () => {
    expect(read('--full')).toMatchObject({ maxExamples: 200, seed: 99 });
  });

  it('uses the given seed', () => {
    expect(read('--seed', '7').seed).toBe(7);
    expect(read('--full', '--seed=8').seed).toBe(8);
  });

  it.each([['--seed', 'x'], ['--seed=-1'], ['--seed=1.5'], ['--other'], ['word']])(
    'refuses %j',
    (...args) => {
      expect(() => read(...args)).toThrow();
    },
  );
});
