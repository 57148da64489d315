import { describe, expect, it } from '@jest/globals';
import { nextPushAt } from './rename.ts';

describe('nextPushAt', () => {
  it.each([
    ['at once', 100, 20_100],
    ['just before the last acquisition is decided', 20_099, 20_100],
    ['when all acquisitions are decided', 20_100, undefined],
    ['long after', 1e9, undefined],
  ])('after a push %s', (_when, pushedAt, next) => {
    expect(nextPushAt(100, pushedAt)).toBe(next);
  });
});
