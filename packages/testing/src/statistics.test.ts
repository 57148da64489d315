import { describe, expect, it } from '@jest/globals';
import { quantile, showQuantiles } from './statistics.ts';

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
