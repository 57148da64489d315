import { describe, expect, it } from '@jest/globals';
import { pauseFor } from './bitly-api.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

describe('pauseFor', () => {
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
  ])('Retry-After %s is a pause of %i s', (header, seconds) => {
    expect(pauseFor(header, false, now)).toBe(seconds * 1000);
  });

  it.each([
    [null, 3600],
    ['soon', 3600],
    ['7', 7],
  ])('Retry-After %s is a pause of %i s where the limit is of the month', (header, seconds) => {
    expect(pauseFor(header, true, now)).toBe(seconds * 1000);
  });
});
