import { describe, expect, it } from '@jest/globals';
import { closeDateAt, closeInstant, dateOf, publishDateAt, publishInstant } from './dates.ts';

describe('effective instants', () => {
  it.each([
    ['2026-03-02', '2026-03-01T12:00:00.000Z', '2026-03-02T12:00:00.000Z'],
    ['2024-03-01', '2024-02-29T12:00:00.000Z', '2024-03-01T12:00:00.000Z'],
    ['2026-01-01', '2025-12-31T12:00:00.000Z', '2026-01-01T12:00:00.000Z'],
    ['1970-01-01', '1969-12-31T12:00:00.000Z', '1970-01-01T12:00:00.000Z'],
    ['9999-12-31', '9999-12-30T12:00:00.000Z', '9999-12-31T12:00:00.000Z'],
  ])('%s publishes at %s and closes at %s', (date, publishes, closes) => {
    expect(new Date(publishInstant(date)).toISOString()).toBe(publishes);
    expect(new Date(closeInstant(date)).toISOString()).toBe(closes);
    expect(publishDateAt(publishInstant(date))).toBe(date);
    expect(closeDateAt(closeInstant(date))).toBe(date);
  });
});

describe('dates at an instant', () => {
  it.each([
    ['2026-03-02T11:59:59.999Z', '2026-03-01', '2026-03-02'],
    ['2026-03-02T12:00:00.000Z', '2026-03-02', '2026-03-02'],
    ['2026-03-02T23:59:59.999Z', '2026-03-02', '2026-03-02'],
    ['2026-03-03T00:00:00.000Z', '2026-03-02', '2026-03-03'],
  ])('at %s the latest closed date is %s and today is %s', (instant, closed, today) => {
    expect(closeDateAt(Date.parse(instant))).toBe(closed);
    expect(dateOf(Date.parse(instant))).toBe(today);
  });
});
