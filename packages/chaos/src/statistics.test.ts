import { describe, expect, it } from '@jest/globals';
import { slope, tally } from './statistics.ts';

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
