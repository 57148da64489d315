import { describe, expect, it } from '@jest/globals';
import { dayAfter, dayOf, noonIn, noonOf } from './noon.ts';

describe('noonOf', () => {
  it.each([
    ['2026-03-01T03:00:00Z', 0, '2026-03-01'],
    ['2026-03-01T12:00:00Z', 0, '2026-03-01'],
    ['2026-03-01T23:59:59Z', 1, '2026-03-02'],
    ['2026-03-01T00:00:00Z', -2, '2026-02-27'],
  ])('from %s by %d days', (iso, days, day) => {
    const noon = noonOf(days, Date.parse(iso));
    expect(new Date(noon).toISOString()).toBe(`${day}T12:00:00.000Z`);
    expect(dayOf(noon)).toBe(day);
  });
});

describe('noonIn', () => {
  it('offsets the clock so that noon comes at the given time', () => {
    const now = Date.parse('2026-03-01T03:00:00Z');
    const { clockOffsetMs, noonAt, instant } = noonIn(5000, noonOf(3, now), now);
    expect(noonAt).toBe(now + 5000);
    expect(noonAt + clockOffsetMs).toBe(instant);
    expect(new Date(instant).toISOString()).toBe('2026-03-04T12:00:00.000Z');
  });
});

describe('dayAfter', () => {
  it.each([
    ['2026-02-28', 1, '2026-03-01'],
    ['2026-01-01', -1, '2025-12-31'],
  ])('%s by %d', (day, days, expected) => {
    expect(dayAfter(day, days)).toBe(expected);
  });
});
