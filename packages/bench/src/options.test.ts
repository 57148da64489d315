import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.ts';
import { full, quick } from './sizes.ts';

const known = ['get-job', 'list', 'post'];

describe('readOptions', () => {
  it('measures everything at full size', () => {
    expect(readOptions([], known)).toEqual({
      sizes: full,
      names: known,
      sweep: false,
      out: '.data/bench',
      postingsFile: undefined,
    });
  });

  it('keeps the order of the scenarios', () => {
    expect(readOptions(['--only', 'post,get-job'], known).names).toEqual(['get-job', 'post']);
  });

  it('takes other times and rounds', () => {
    const { sizes } = readOptions(['--quick', '--seconds', '2.5', '--rounds', '1'], known);
    expect(sizes).toEqual({ ...quick, measureMs: 2500, rounds: 1 });
  });

  it.each([
    [['--only', 'delete'], /--only: no delete; there are get-job, list, post/],
    [['--seconds', '0'], /--seconds takes a number above 0/],
    [['--rounds', 'many'], /--rounds takes/],
    [['--fast'], /fast/],
  ])('refuses %j', (args, message) => {
    expect(() => readOptions(args, known)).toThrow(message);
  });
});
