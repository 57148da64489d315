import { describe, expect, it } from '@jest/globals';
import { atLeast, atMost, isMet, ratio } from './goals.ts';

describe('isMet', () => {
  it.each([
    [atMost('a', 0.6, 0.6), true],
    [atMost('a', 0.61, 0.6), false],
    [atLeast('a', 400, 400, '/s'), true],
    [atLeast('a', 399, 400, '/s'), false],
    [atMost('a', ratio(0, 0), 1), false],
    [atLeast('a', ratio(1, 0), 1, '/s'), false],
  ])('%j: %s', (goal, met) => {
    expect(isMet(goal)).toBe(met);
  });
});
