import { describe, expect, it } from '@jest/globals';
import { secondsLeft, windowAt } from './minutes.ts';

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
