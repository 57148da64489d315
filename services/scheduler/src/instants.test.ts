import { describe, expect, it } from '@jest/globals';
import { instantsDue, latestInstant, MAX_MISSED } from './instants.ts';

const at = (iso: string) => Date.parse(iso);
const noon = (day: string) => at(`${day}T12:00:00Z`);

describe('latestInstant', () => {
  it.each([
    ['2026-03-01T11:59:59.999Z', '2026-02-28'],
    ['2026-03-01T12:00:00.000Z', '2026-03-01'],
    ['2026-03-02T00:00:00.000Z', '2026-03-01'],
    ['2024-03-01T00:00:00.000Z', '2024-02-29'],
    ['1970-01-01T00:00:00.000Z', '1969-12-31'],
  ])('at %s is noon of %s', (now, day) => {
    expect(latestInstant(at(now))).toBe(noon(day));
  });
});

describe('instantsDue', () => {
  it.each([
    ['nothing was ever published', undefined, '2026-03-05T11:00:00Z', ['2026-03-04']],
    ['the last one was published', '2026-03-04', '2026-03-05T11:59:59.999Z', []],
    ['noon comes', '2026-03-04', '2026-03-05T12:00:00Z', ['2026-03-05']],
    ['days were missed', '2026-03-01', '2026-03-04T13:00:00Z', ['2026-03-02', '2026-03-03', '2026-03-04']],
    ['another replica is a little ahead', '2026-03-05', '2026-03-05T11:59:30Z', []],
    ['the clock was set back', '2026-03-05', '2026-03-02T13:00:00Z', ['2026-03-02']],
    ['the clock was set back within the day', '2026-03-05', '2026-03-05T11:00:00Z', ['2026-03-04']],
  ])('when %s', (_when, last, now, days) => {
    expect(instantsDue(last === undefined ? undefined : noon(last), at(now))).toEqual(days.map(noon));
  });

  it('publishes a month of missed instants at most, the latest ones', () => {
    const due = instantsDue(noon('2020-01-01'), at('2026-03-05T13:00:00Z'));
    expect(due).toHaveLength(MAX_MISSED);
    expect(due.at(-1)).toBe(noon('2026-03-05'));
    expect(due[0]).toBe(noon('2026-02-03'));
  });
});
