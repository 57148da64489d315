import { describe, expect, it } from '@jest/globals';
import { retryAt } from './retry-after.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

describe('retryAt', () => {
  it.each([
    ['7', 7],
    [' 90 ', 90],
    ['0', 1],
    ['999999999999', 3600],
    ['Sun, 01 Mar 2026 12:00:45 GMT', 45],
    ['Sunday, 01-Mar-26 12:00:45 GMT', 45],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 1],
    ['Mon, 02 Mar 2026 12:00:00 GMT', 3600],
    [null, 60],
    ['', 60],
    ['soon', 60],
    ['-5', 60],
    ['1.5', 60],
    ['Sun, 99 Mar 2026', 60],
  ])('%s: in %i s', (header, seconds) => {
    expect((retryAt({ retryAfter: header, isMonthly: false }, now) - now) / 1000).toBe(seconds);
  });

  it.each([
    [null, 3600],
    ['soon', 3600],
    ['7', 7],
  ])('%s: in %i s where the limit is of the month', (retryAfter, seconds) => {
    expect((retryAt({ retryAfter, isMonthly: true }, now) - now) / 1000).toBe(seconds);
  });
});
