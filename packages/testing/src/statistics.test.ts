import { describe, expect, it } from '@jest/globals';
import { least, most, quantile, showQuantiles, slope, sum, tally } from './statistics.ts';

describe('quantile', () => {
  it.each([
    [[], 0.5, 0],
    [[7], 0.99, 7],
    [[4, 1, 3, 2], 0.5, 2],
    [[10, 9, 1], 1, 10],
    [Array.from({ length: 100 }, (_, index) => 100 - index), 0.99, 99],
  ])('of %j, %d', (values, part, expected) => {
    expect(quantile(values, part)).toBe(expected);
  });
});

describe('showQuantiles', () => {
  it('shows one time per part', () => {
    expect(showQuantiles([3, 1, 2], [0.5, 1])).toBe('2 ms, 3 ms');
  });
});

describe('tally', () => {
  it('counts each value', () => {
    expect(tally([200, 503, 200])).toBe('200: 2, 503: 1');
    expect(tally([])).toBe('');
  });
});

describe('slope', () => {
  it.each([
    [[], 0],
    [[{ x: 1, y: 5 }], 0],
    [
      [
        { x: 0, y: 1 },
        { x: 1, y: 3 },
        { x: 2, y: 5 },
      ],
      2,
    ],
  ])('of %j', (points, expected) => {
    expect(slope(points)).toBe(expected);
  });
});

describe('least, most and sum', () => {
  const rounds = [{ ms: 3 }, { ms: 1 }, { ms: 2 }];

  it('go over the rounds', () => {
    expect(least(rounds, ({ ms }) => ms)).toBe(1);
    expect(most(rounds, ({ ms }) => ms)).toBe(3);
    expect(sum(rounds.map(({ ms }) => ms))).toBe(6);
  });
});
