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
  it('asks with one request before it knows anything', () => {
    const pace = pacer(false);
    expect(pace.waitMs(0)).toBe(0);
    pace.sent();
    expect(pace.waitMs(0)).toBeGreaterThan(0);
    pace.heard({ left: 10, seconds: 60 }, 5);
    expect(pace.waitMs(5)).toBe(0);
  });

  it('waits for the window when nothing is left', () => {
    const pace = pacer(false);
    pace.sent();
    pace.heard({ left: 1, seconds: 20 }, 1000);
    pace.sent();
    expect(pace.waitMs(1500)).toBe(19_500);
    pace.heard({ left: 0, seconds: 20 }, 1600);
    expect(pace.waitMs(1600)).toBe(20_000);
    expect(pace.waitMs(21_600)).toBe(0);
  });

  it('takes what is under way for not counted yet, and trusts no answer that was overtaken', () => {
    const pace = pacer(false);
    pace.sent();
    pace.heard({ left: 3, seconds: 60 }, 0);
    pace.sent();
    pace.sent();
    pace.heard({ left: 1, seconds: 60 }, 10);
    expect(pace.waitMs(10)).toBeGreaterThan(0);
    pace.heard({ left: 2, seconds: 60 }, 11);
    expect(pace.waitMs(11)).toBeGreaterThan(0);
  });

  it('knows a new window from an old one', () => {
    const pace = pacer(false);
    pace.sent();
    pace.sent();
    pace.heard({ left: 0, seconds: 1 }, 0);
    pace.heard({ left: 9, seconds: 60 }, 900);
    expect(pace.waitMs(900)).toBe(0);
  });

  it('spreads what is left', () => {
    const pace = pacer(true);
    pace.sent();
    pace.heard({ left: 10, seconds: 20 }, 0);
    expect(pace.waitMs(0)).toBe(2000);
    expect(pace.waitMs(2000)).toBe(0);
  });
});
