import { describe, expect, it } from '@jest/globals';
import { adaptLimits, LEAST, nextLimit } from './adaptive-limit.ts';
import { block, waitFor } from '@joblisting/testing';

describe('the limit until the next look', () => {
  it.each([
    { what: 'is kept where nothing is wrong', limit: 108, lateMs: 2, exceeded: false, next: 108 },
    { what: 'is kept where requests are refused in time', limit: 108, lateMs: 2, exceeded: true, next: 108 },
    {
      what: 'is kept where it is late but refuses nobody',
      limit: 108,
      lateMs: 90,
      exceeded: false,
      next: 108,
    },
    {
      what: 'falls by a quarter where refusals are late',
      limit: 108,
      lateMs: 8.01,
      exceeded: true,
      next: 80,
    },
    { what: 'falls faster where they are later', limit: 108, lateMs: 24, exceeded: true, next: 45 },
    { what: 'does not fall below the least', limit: 7, lateMs: 90, exceeded: true, next: LEAST },
    { what: 'rises by one where it is in time again', limit: 30, lateMs: 8, exceeded: true, next: 31 },
    { what: 'rises by one where nobody is refused', limit: 30, lateMs: 90, exceeded: false, next: 31 },
  ])('$what', ({ limit, lateMs, exceeded, next }) => {
    expect(nextLimit(limit, 108, { lateMs, exceeded })).toBe(next);
  });

  it('is never above a configured limit that is lower than the least', () => {
    expect(nextLimit(3, 3, { lateMs: 90, exceeded: true })).toBe(3);
  });
});

describe('the limits of several services', () => {
  it('fall for the one whose requests are refused, come back, and fall again after a quiet time', async () => {
    const limits = adaptLimits(8);
    const isLess = () => {
      limits.waiting(8);
      limits.exceeded('jobs');
      block(60);
      return limits.of('jobs') < 8;
    };
    for (let time = 0; time < 2; time++) {
      await waitFor(isLess, { what: 'a lower limit' });
      expect(limits.of('categories')).toBe(8);
      await waitFor(() => limits.of('jobs') === 8, { what: 'the limit to be as it was' });
      await waitFor(() => !limits.isLooking(), { what: 'the end of the looks' });
    }
    limits.stop();
  });

  it('are looked at only while so many wait that some could be refused', () => {
    const limits = adaptLimits(8);
    limits.waiting(LEAST - 1);
    expect(limits.isLooking()).toBe(false);
    limits.waiting(LEAST);
    expect(limits.isLooking()).toBe(true);
    limits.stop();
    expect(limits.isLooking()).toBe(false);
  });

  it('fall as well where requests are refused and nobody has got a place for long', async () => {
    const limits = adaptLimits(8);
    const isLess = () => {
      limits.exceeded('jobs');
      block(60);
      return limits.of('jobs') < 8;
    };
    await waitFor(isLess, { what: 'a lower limit' });
    limits.stop();
  });

  it('are looked at where all places are taken, however few', () => {
    const limits = adaptLimits(2);
    limits.waiting(2);
    expect(limits.isLooking()).toBe(true);
    limits.stop();
  });
});
