import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.ts';
import { full, quick } from './sizes.ts';

const known = ['get-job', 'list', 'post'];

describe('readOptions', () => {
  it('measures everything at full size', () => {
    expect(readOptions([], known)).toEqual({
      sizes: full,
      names: known,
      sweep: undefined,
      out: '.data/bench',
      postingsFile: undefined,
    });
  });

  it('keeps the order of the scenarios', () => {
    expect(readOptions(['--only', 'post,get-job'], known).names).toEqual(['get-job', 'post']);
  });

  it('accepts other times and rounds', () => {
    const { sizes } = readOptions(['--quick', '--seconds', '2.5', '--rounds', '1'], known);
    expect(sizes).toEqual({ ...quick, measureMs: 2500, rounds: 1 });
  });

  it.each([
    [['--sweep'], [1000, 10_000, 100_000, 1_000_000], [1, 2, 3]],
    [
      ['--sweep', '--quick'],
      [1000, 10_000],
      [1, 2],
    ],
    [['--sweep', '--jobs', '5000', '--replicas', '1,4'], [5000], [1, 4]],
  ])('sweeps with %j', (args, jobs, replicas) => {
    expect(readOptions(args, known).sweep).toMatchObject({ jobs, replicas });
  });

  it.each([
    [['--sweep', '--jobs', '10'], /--jobs must be whole numbers from 1000/],
    [['--sweep', '--replicas', '1,x'], /--replicas must be whole numbers from 1/],
    [['--only', 'delete'], /--only: unknown delete; known are get-job, list, post/],
    [['--seconds', '0'], /--seconds must be a number above 0/],
    [['--rounds', 'many'], /--rounds must/],
    [['--fast'], /fast/],
  ])('rejects %j', (args, message) => {
    expect(() => readOptions(args, known)).toThrow(message);
  });
});
