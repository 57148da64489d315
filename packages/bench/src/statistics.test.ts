import { describe, expect, it } from '@jest/globals';
import { least, most, sum } from './statistics.ts';

describe('least, most and sum', () => {
  const rounds = [{ ms: 3 }, { ms: 1 }, { ms: 2 }];

  it('go over the rounds', () => {
    expect(least(rounds, ({ ms }) => ms)).toBe(1);
    expect(most(rounds, ({ ms }) => ms)).toBe(3);
    expect(sum(rounds.map(({ ms }) => ms))).toBe(6);
  });
});
