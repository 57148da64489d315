import { describe, expect, it } from '@jest/globals';
import { dayAfter, noonIn } from './noon.ts';

describe('noonIn', () => {
  it.each(['2026-03-01T03:00:00Z', '2026-03-01T12:00:00Z', '2026-03-01T23:59:59Z'])('from %s', (iso) => {
    const now = Date.parse(iso);
    const { clockOffsetMs, noonAt, day } = noonIn(5000, now);
    expect(noonAt).toBe(now + 5000);
    expect(new Date(noonAt + clockOffsetMs).toISOString()).toBe('2026-03-01T12:00:00.000Z');
    expect(day).toBe('2026-03-01');
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
