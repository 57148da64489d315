import { describe, expect, it } from '@jest/globals';
import { deltaOf, isSame, rowsOf, totalOf } from './list-totals.ts';

describe('deltaOf', () => {
  it.each([
    ['a new job', { statusId: 1 }, { 1: 2 }],
    ['a job of another status', { statusId: 2, counted: 1 }, { 2: 2, 1: -2 }],
    ['a job that came back to its status', { statusId: 1, counted: 1 }, { 1: 0 }],
    ['a deleted job', { counted: 1 }, { 1: -2 }],
    ['a job deleted before it was folded', { counted: null }, {}],
  ] as const)('shows two of %s', (_what, alike, delta) => {
    expect(deltaOf([{ ...alike, jobs: 2 }])).toEqual(delta);
  });

  it('sums up what differs', () => {
    const uncounted = [
      { statusId: 1, jobs: 5 },
      { statusId: 1, counted: 3, jobs: 2 },
      { counted: 1, jobs: 4 },
    ] as const;
    expect(deltaOf(uncounted)).toEqual({ 1: 3, 3: -2 });
  });
});

describe('totalOf', () => {
  it.each([
    [undefined, 10],
    [1, 7],
    [2, 2],
    [3, 1],
    [5, 0],
  ] as const)('of status %s is %d', (statusId, expected) => {
    expect(totalOf({ 1: 5, 2: 3 }, { 1: 2, 2: -1, 3: 1 }, statusId)).toBe(expected);
  });
});

describe('isSame', () => {
  it('takes a missing total for 0', () => {
    expect(isSame({ 1: 3, 2: 0 }, { 1: 3 })).toBe(true);
    expect(isSame({ 1: 3, 2: 0 }, { 1: 3, 2: 1 })).toBe(false);
  });
});

describe('rowsOf', () => {
  it.each([
    ['the first page', 0, { fromEnd: false, skip: 0, limit: 10 }],
    ['a page of the newer half', 10, { fromEnd: false, skip: 10, limit: 10 }],
    ['a page of the older half', 20, { fromEnd: true, skip: 5, limit: 10 }],
    ['the last page', 30, { fromEnd: true, skip: 0, limit: 5 }],
    ['a page that starts at the end', 35, undefined],
    ['a page past the end', 40, undefined],
  ])('of %s', (_what, offset, expected) => {
    expect(rowsOf(35, offset, 10)).toEqual(expected);
  });

  it('of an empty list', () => {
    expect(rowsOf(0, 0, 10)).toBeUndefined();
  });
});
