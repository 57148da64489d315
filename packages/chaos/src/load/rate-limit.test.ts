import { describe, expect, it } from '@jest/globals';
import { pacer, readLimit } from './rate-limit.ts';

describe('readLimit', () => {
  it.each([
    ['"writes";r=12;t=30', { left: 12, seconds: 30 }],
    ['"reads";t=1;r=0', { left: 0, seconds: 1 }],
    ['"reads"; r=5; t=60', { left: 5, seconds: 60 }],
    ['"reads";r=5', undefined],
    ['r=5;t=60', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j', (field, limit) => {
    expect(readLimit(field)).toEqual(limit);
  });
});

describe('pacer', () => {
  it('sends one request alone before it knows the limit', () => {
    const pace = pacer(false);
    expect(pace.waitMs(0)).toBe(0);
    pace.sent();
    expect(pace.waitMs(0)).toBeGreaterThan(0);
    pace.answered({ left: 10, seconds: 60 }, 5);
    expect(pace.waitMs(5)).toBe(0);
  });

  it('waits for the next window when no requests are left', () => {
    const pace = pacer(false);
    pace.sent();
    pace.answered({ left: 1, seconds: 20 }, 1000);
    pace.sent();
    expect(pace.waitMs(1500)).toBe(19_500);
    pace.answered({ left: 0, seconds: 20 }, 1600);
    expect(pace.waitMs(1600)).toBe(20_000);
    expect(pace.waitMs(21_600)).toBe(0);
  });

  it('assumes that running requests are not counted, and ignores outdated answers', () => {
    const pace = pacer(false);
    pace.sent();
    pace.answered({ left: 3, seconds: 60 }, 0);
    pace.sent();
    pace.sent();
    pace.answered({ left: 1, seconds: 60 }, 10);
    expect(pace.waitMs(10)).toBeGreaterThan(0);
    pace.answered({ left: 2, seconds: 60 }, 11);
    expect(pace.waitMs(11)).toBeGreaterThan(0);
  });

  it('recognises a new window', () => {
    const pace = pacer(false);
    pace.sent();
    pace.sent();
    pace.answered({ left: 0, seconds: 1 }, 0);
    pace.answered({ left: 9, seconds: 60 }, 900);
    expect(pace.waitMs(900)).toBe(0);
  });

  it('spreads the remaining requests over the window', () => {
    const pace = pacer(true);
    pace.sent();
    pace.answered({ left: 10, seconds: 20 }, 0);
    expect(pace.waitMs(0)).toBe(2000);
    expect(pace.waitMs(2000)).toBe(0);
  });
});
