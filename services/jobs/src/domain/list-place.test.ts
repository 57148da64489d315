import { describe, expect, it } from '@jest/globals';
import { dayAt, isSamePlace, type Place, type Shift, shiftsOf, sumOf, totalOf } from './list-place.ts';

const place = (statusId: Place['statusId'], displayDate: string): Place => ({ statusId, displayDate });
const shift = (statusId: Place['statusId'], displayDate: string, by: number): Shift => ({
  statusId,
  displayDate,
  by,
});

describe('shifts', () => {
  it.each<[string, Place | undefined, Place | undefined, Shift[]]>([
    ['a new job', place(1, '2026-03-01'), undefined, [shift(1, '2026-03-01', 2)]],
    [
      'a job that moved',
      place(2, '2026-03-05'),
      place(1, '2026-03-01'),
      [shift(2, '2026-03-05', 2), shift(1, '2026-03-01', -2)],
    ],
    ['a job that moved and came back', place(1, '2026-03-01'), place(1, '2026-03-01'), []],
    ['a deleted job', undefined, place(1, '2026-03-01'), [shift(1, '2026-03-01', -2)]],
    ['a job deleted before it was counted', undefined, undefined, []],
  ])('of two like %s', (_what, now, counted, expected) => {
    expect(sumOf(shiftsOf(now, counted, 2))).toEqual(expected);
  });

  it('do not keep what else a place has', () => {
    const counted = { ...place(1, '2026-03-01'), since: new Date(0) };
    expect(shiftsOf(undefined, counted)).toEqual([shift(1, '2026-03-01', -1)]);
  });
});

describe('places are the same', () => {
  it.each([
    [place(1, '2026-03-01'), true],
    [place(2, '2026-03-01'), false],
    [place(1, '2026-03-02'), false],
  ])('%j: %s', (other, expected) => {
    expect(isSamePlace(place(1, '2026-03-01'), other)).toBe(expected);
  });
});

describe('the total', () => {
  const totals = { 1: 5, 2: 3 };
  const shifts = [shift(1, '2026-03-01', 2), shift(2, '2026-03-01', -1), shift(3, '2026-03-01', 1)];

  it.each([
    [undefined, 10],
    [1, 7],
    [2, 2],
    [3, 1],
    [5, 0],
  ] as const)('of status %s is %d', (statusId, expected) => {
    expect(totalOf(totals, shifts, statusId)).toBe(expected);
  });
});

describe('the day of a job', () => {
  const places = [
    shift(1, '2026-02-28', 2),
    shift(1, '2026-03-01', 3),
    shift(2, '2026-03-01', 1),
    shift(1, '2026-03-02', 1),
    // Moved away since it was counted.
    shift(1, '2026-03-02', -1),
    shift(1, '2026-03-03', 2),
  ];

  it.each([
    [0, { date: '2026-03-03', before: 0, jobs: 2 }],
    [1, { date: '2026-03-03', before: 0, jobs: 2 }],
    [2, { date: '2026-03-01', before: 2, jobs: 4 }],
    [5, { date: '2026-03-01', before: 2, jobs: 4 }],
    [6, { date: '2026-02-28', before: 6, jobs: 2 }],
    [7, { date: '2026-02-28', before: 6, jobs: 2 }],
    [8, undefined],
  ])('at %d', (offset, expected) => {
    expect(dayAt(places, offset)).toEqual(expected);
  });
});
