import { describe, expect, it } from '@jest/globals';
import { randomOf } from '../random.ts';
import { advance, type Dates, randomDates, statusAt } from './timeline.ts';

const at = (iso: string): number => Date.parse(iso);
const dates = (publishDate: string, closeDate: string | null): Dates => ({ publishDate, closeDate });

describe('statusAt', () => {
  it.each([
    [dates('2026-03-02', null), '2026-03-01T11:59:59.999Z', 3],
    [dates('2026-03-02', null), '2026-03-01T12:00:00Z', 1],
    [dates('2026-03-02', '2026-03-05'), '2026-03-05T11:59:59.999Z', 1],
    [dates('2026-03-02', '2026-03-05'), '2026-03-05T12:00:00Z', 2],
    [dates('2026-03-09', '2026-03-05'), '2026-03-05T12:00:00Z', 2],
  ])('%j at %s is %d', (job, now, status) => {
    expect(statusAt(job, at(now))).toBe(status);
  });
});

describe('advance', () => {
  const pending = { ...dates('2026-03-02', '2026-03-05'), jobId: 7, statusId: 3, version: 1 };

  it('publishes and closes a job, each with its version and time', () => {
    const job = { ...pending };
    expect(advance(job, at('2026-03-01T11:00:00Z'))).toEqual([]);
    expect(advance(job, at('2026-04-01T12:00:00Z'))).toEqual([
      { jobId: 7, version: 2, statusId: 1, at: at('2026-03-01T12:00:00Z') },
      { jobId: 7, version: 3, statusId: 2, at: at('2026-03-05T12:00:00Z') },
    ]);
    expect(job).toMatchObject({ statusId: 2, version: 3 });
    expect(advance(job, at('2026-05-01T12:00:00Z'))).toEqual([]);
  });

  it('undoes nothing when the clock goes back', () => {
    const job = { ...pending };
    advance(job, at('2026-03-02T12:00:00Z'));
    expect(advance(job, at('2026-02-01T12:00:00Z'))).toEqual([]);
    expect(job).toMatchObject({ statusId: 1, version: 2 });
  });

  it('only closes a job that is due to be published and closed at the same noon', () => {
    const job = { ...pending, publishDate: '2026-03-06' };
    expect(advance(job, at('2026-03-05T12:00:00Z')).map(({ statusId }) => statusId)).toEqual([2]);
  });
});

describe('randomDates', () => {
  it('gives dates for every status', () => {
    const now = at('2026-03-01T12:00:00Z');
    const random = randomOf(1);
    const statuses = Array.from({ length: 100 }, () => statusAt(randomDates(random, '2026-03-01'), now));
    expect(new Set(statuses)).toEqual(new Set([1, 2, 3]));
  });
});
