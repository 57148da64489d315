import { describe, expect, it } from '@jest/globals';
import { least, most, quantile, sum } from './statistics.ts';

describe('quantile', () => {
  it.each([
    [[], 0.5, 0],
    [[3], 0.99, 3],
    [[4, 1, 3, 2], 0.5, 2],
    [[10, 9, 1], 1, 10],
    [Array.from({ length: 100 }, (_, index) => 100 - index), 0.99, 99],
  ])('of %j at %d is %d', (values, part, expected) => {
    expect(quantile(values, part)).toBe(expected);
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
