import { describe, expect, it } from '@jest/globals';
import { randomOf } from '../random.ts';
import { batchesOf, compareCounts, compareSeries, makeEvent, totalsOf } from './events.ts';

const events = Array.from({ length: 1000 }, (_, index) => makeEvent(randomOf(index), `e${index}`, [1, 2]));
const job = (id: number, viewCount: number) => ({ id, viewCount, applicationCount: 0, clickThroughCount: 1 });

describe('batchesOf', () => {
  it('contains every event, and some of them twice', () => {
    const batches = batchesOf(randomOf(3), events, 50);
    const sent = batches.flat().map(({ id }) => id);
    expect(new Set(sent)).toEqual(new Set(events.map(({ id }) => id)));
    expect(sent.length).toBeGreaterThan(1020);
    expect(sent.length).toBeLessThan(1080);
    expect(Math.max(...batches.map(({ length }) => length))).toBe(50);
  });
});

describe('totalsOf', () => {
  it('counts by job and type', () => {
    const totals = totalsOf(events);
    expect([...totals.values()].reduce((sum, count) => sum + count, 0)).toBe(1000);
    expect(totals.size).toBe(6);
  });
});

describe('compareCounts', () => {
  const expected = new Map([
    ['1 view', 2],
    ['1 clickThrough', 1],
    ['2 clickThrough', 1],
  ]);

  it.each([
    ['equal counts', [job(1, 2), job(2, 0)], []],
    ['a count that is too high', [job(1, 3)], ['job 1 view 3, not 2']],
    ['a count that should be 0', [job(2, 1)], ['job 2 view 1, not 0']],
  ])('%s', (_what, jobs, wrong) => {
    expect(compareCounts(expected, jobs)).toEqual(wrong);
  });
});

describe('compareSeries', () => {
  const none = { views: 0, applications: 0, clickThroughs: 0 };
  const row = (views: number) => ({ ...none, date: '2026-03-10', source: null, views });
  const expected = new Map([['1 view', 3]]);

  it.each([
    ['rows that add up', [row(1), row(2)], none, []],
    ['a row too few', [row(1)], none, ['job 1 views 1 in rows and 0 outside, not 3 in rows']],
    [
      'a count outside of the rows',
      [row(1), row(1)],
      { ...none, views: 1 },
      ['job 1 views 2 in rows and 1 outside, not 3 in rows'],
    ],
  ])('%s', (_what, series, outside, wrong) => {
    expect(compareSeries(expected, 1, { series, outside })).toEqual(wrong);
  });
});
