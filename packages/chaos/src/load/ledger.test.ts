import { describe, expect, it } from '@jest/globals';
import { compareEvents, type Told } from './ledger.ts';

const published = { jobId: 1, version: 2, statusId: 1, at: 1000 };
const closed = { jobId: 1, version: 3, statusId: 2, at: 2000 };
const told = (event: typeof published, arrivedAt: number): Told => ({ ...event, arrivedAt });

describe('compareEvents', () => {
  const nothing = { missing: [], extra: [], early: [] };

  it.each([
    ['each once', [told(published, 1000), told(closed, 2500)], nothing],
    ['one missing', [told(published, 1000)], { ...nothing, missing: ['1 3 2'] }],
    [
      'one twice',
      [told(published, 1000), told(closed, 2000), told(closed, 2001)],
      { ...nothing, extra: ['1 3 2'] },
    ],
    [
      'one of nothing',
      [told(published, 1000), told(closed, 2000), told({ ...closed, jobId: 2 }, 2000)],
      { ...nothing, extra: ['2 3 2'] },
    ],
    ['one early', [told(published, 999), told(closed, 2000)], { ...nothing, early: ['1 2 1'] }],
    [
      'one with another instant',
      [told({ ...published, at: 900 }, 1000), told(closed, 2000)],
      { ...nothing, extra: ['1 2 1 at 1970-01-01T00:00:00.900Z'] },
    ],
  ])('%s', (_what, events, expected) => {
    expect(compareEvents([published, closed], events, () => 0)).toEqual(expected);
  });

  it('goes by the clock that the services had', () => {
    const events = [told(published, 500), told(closed, 1500)];
    expect(compareEvents([published, closed], events, () => 500)).toEqual(nothing);
    expect(compareEvents([published, closed], events, (at) => (at < 1000 ? 500 : 0)).early).toEqual([
      '1 3 2',
    ]);
  });
});
