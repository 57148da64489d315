import { describe, expect, it } from '@jest/globals';
import { quantile, slope, tally } from './statistics.ts';

describe('quantile', () => {
  it.each([
    [[], 0.5, 0],
    [[7], 0.99, 7],
    [[3, 1, 2], 0.5, 2],
    [[4, 3, 2, 1], 1, 4],
    [Array.from({ length: 100 }, (_, index) => index + 1), 0.99, 99],
  ])('of %j, %d', (values, part, expected) => {
    expect(quantile(values, part)).toBe(expected);
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
