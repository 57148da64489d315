import { describe, expect, it } from '@jest/globals';
import { daysBetween, isCalendarDate, shiftDate, unixDate, writtenDate } from './calendar.ts';

describe('writtenDate', () => {
  it.each([
    ['2018-12-27T10:50:17+0000', '2018-12-27'],
    ['2020-11-06T23:30:00-0500', '2020-11-06'],
    ['2020-11-06T00:30:00+01:00', '2020-11-06'],
    ['2020-11-06 08:00', '2020-11-06'],
    ['2020-11-06', '2020-11-06'],
    ['6 November 2020', '6 November 2020'],
    ['2020-11-061', '2020-11-061'],
    ['', ''],
    [20201106, 20201106],
    [undefined, undefined],
    [null, null],
  ])('reads %j as %j', (written, date) => {
    expect(writtenDate(written)).toBe(date);
  });
});

describe('unixDate', () => {
  it.each([
    [1714605534, '2024-05-01'],
    [1719791999, '2024-06-30'],
    [1e20, 1e20],
    ['1714605534', '1714605534'],
  ])('reads %j as %j', (seconds, date) => {
    expect(unixDate(seconds)).toBe(date);
  });
});

describe('shiftDate', () => {
  it.each([
    ['2020-02-28', 1, '2020-02-29'],
    ['2020-12-31', 1, '2021-01-01'],
    ['2020-03-01', -1, '2020-02-29'],
    ['2020-03-01', 0, '2020-03-01'],
    ['2020-02-30', 5, '2020-02-30'],
    ['9999-12-31', 1, '9999-12-31'],
    ['soon', 5, 'soon'],
    [null, 5, null],
  ])('moves %j by %d to %j', (date, days, moved) => {
    expect(shiftDate(date, days)).toBe(moved);
  });

  it('moves by the result of daysBetween', () => {
    expect(daysBetween('2020-11-06', '2025-11-06')).toBe(1826);
    expect(shiftDate('2020-11-06', 1826)).toBe('2025-11-06');
  });
});

describe('isCalendarDate', () => {
  it.each(['2020-02-30', '2020-13-01', '2020-1-1', '', '2020-01-01T00:00:00Z', 5])('refuses %j', (value) => {
    expect(isCalendarDate(value)).toBe(false);
  });
});
