import { describe, expect, it } from '@jest/globals';
import { hasRoom, kindOf, remaining, urgentShare } from './quota.ts';

describe('kindOf', () => {
  it.each([
    ['GET', 'reads'],
    ['HEAD', 'reads'],
    ['POST', 'writes'],
    ['PUT', 'writes'],
    ['DELETE', 'writes'],
    ['PATCH', 'writes'],
  ])('%s counts among %s', (method, kind) => {
    expect(kindOf(method)).toBe(kind);
  });
});

describe('hasRoom', () => {
  // The last count at which one more goes through.
  it.each([
    ['a gateway alone: the quota', 100, 99, 0],
    ['a gateway alone: one', 1, 0, 0],
    ['with others: 5 % more', 100, 60, 44],
    ['with others: at least one more', 5, 1, 4],
    ['with others that have used it all', 1, 0, 1],
    ['with others: whole requests only', 59, 30, 30],
  ])('%s', (_what, quota, own, others) => {
    expect(hasRoom(quota, own, others)).toBe(true);
    expect(hasRoom(quota, own + 1, others)).toBe(false);
  });
});

describe('remaining', () => {
  it.each([
    [10, 3, 4, 3],
    [10, 10, 0, 0],
    [10, 6, 5, 0],
  ])('of %d with %d and %d used is %d', (quota, own, others, left) => {
    expect(remaining(quota, own, others)).toBe(left);
  });
});

describe('urgentShare', () => {
  it.each([
    [1, 1],
    [100, 1],
    [12_000, 150],
    [60_000, 750],
  ])('of %d is %d: a part of the slack', (quota, share) => {
    expect(urgentShare(quota)).toBe(share);
  });
});
