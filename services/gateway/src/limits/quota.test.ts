import { describe, expect, it } from '@jest/globals';
import { isBelowQuota, kindOf, remaining, secondsLeft, windowAt } from './quota.ts';

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

describe('isBelowQuota', () => {
  // The last count at which one more goes through.
  it.each([
    ['a gateway alone: the quota', 100, 99, 0],
    ['a gateway alone: one', 1, 0, 0],
    ['with others: 5 % more', 100, 60, 44],
    ['with others: at least one more', 5, 1, 4],
    ['with others that have used it all', 1, 0, 1],
    ['with others: whole requests only', 59, 30, 30],
  ])('%s', (_what, quota, own, others) => {
    expect(isBelowQuota(quota, own, others)).toBe(true);
    expect(isBelowQuota(quota, own + 1, others)).toBe(false);
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

describe('windowAt', () => {
  it.each([
    ['1970-01-01T00:00:00.000Z', 0],
    ['1970-01-01T00:00:59.999Z', 0],
    ['1970-01-01T00:01:00.000Z', 1],
    ['2026-11-20T10:00:00.000Z', 29_919_480],
  ])('%s is in window %d', (instant, window) => {
    expect(windowAt(Date.parse(instant))).toBe(window);
  });
});

describe('secondsLeft', () => {
  it.each([
    ['at its beginning', 60_000, 60],
    ['a moment later', 60_001, 60],
    ['after a second', 61_000, 59],
    ['just before its end', 119_999, 1],
    ['at its end', 120_000, 1],
    ['long after it', 500_000, 1],
    ['before it, where it began early', 58_000, 62],
  ])('%s', (_when, now, seconds) => {
    expect(secondsLeft(1, now)).toBe(seconds);
  });
});
