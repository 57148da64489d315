import { describe, expect, it } from '@jest/globals';
import { compareEvents, type ReceivedEvent } from './ledger.ts';

const published = { jobId: 1, version: 2, statusId: 1, at: 1000 };
const closed = { jobId: 1, version: 3, statusId: 2, at: 2000 };
const receive = (event: typeof published, arrivedAt: number): ReceivedEvent => ({ ...event, arrivedAt });

describe('compareEvents', () => {
  const nothing = { missing: [], extra: [], early: [] };

  it.each([
    ['each event once', [receive(published, 1000), receive(closed, 2500)], nothing],
    ['a missing event', [receive(published, 1000)], { ...nothing, missing: ['1 3 2'] }],
    [
      'an event that came twice',
      [receive(published, 1000), receive(closed, 2000), receive(closed, 2001)],
      { ...nothing, extra: ['1 3 2'] },
    ],
    [
      'an event of another job',
      [receive(published, 1000), receive(closed, 2000), receive({ ...closed, jobId: 2 }, 2000)],
      { ...nothing, extra: ['2 3 2'] },
    ],
    ['an early event', [receive(published, 999), receive(closed, 2000)], { ...nothing, early: ['1 2 1'] }],
    [
      'an event with another time',
      [receive({ ...published, at: 900 }, 1000), receive(closed, 2000)],
      { ...nothing, extra: ['1 2 1 at 1970-01-01T00:00:00.900Z'] },
    ],
  ])('%s', (_what, events, expected) => {
    expect(compareEvents([published, closed], events, () => 0)).toEqual(expected);
  });

  it('uses the clock of the services at the time', () => {
    const events = [receive(published, 500), receive(closed, 1500)];
    expect(compareEvents([published, closed], events, () => 500)).toEqual(nothing);
    expect(compareEvents([published, closed], events, (at) => (at < 1000 ? 500 : 0)).early).toEqual([
      '1 3 2',
    ]);
  });
});
