import { describe, expect, it } from '@jest/globals';
import type { Entry } from './journal.ts';
import type { Told } from './ledger.ts';
import { compareTold } from './transitions-told.ts';

const entry = (transitions: number, statusId: number) =>
  ({ id: 7, name: 'w0-1', transitions, statusId }) as Entry;
const told = (...events: [version: number, statusId: number][]): Told[] =>
  events.map(([version, statusId]) => ({ jobId: 7, version, statusId, at: 0, arrivedAt: 0 }));

describe('compareTold', () => {
  it.each([
    ['once each', told([1, 1], [3, 2], [4, 1]), entry(3, 1), 0, 0],
    ['in another order', told([3, 2], [1, 1]), entry(2, 2), 0, 0],
    ['one of them twice', told([1, 1], [1, 1]), entry(1, 1), 1, 1],
    ['not at all', [], entry(1, 1), 0, 1],
    ['without the last one', told([1, 1]), entry(2, 2), 0, 1],
    ['without one in between', told([1, 1], [4, 1]), entry(3, 1), 0, 1],
    ['with one too many', told([1, 1], [2, 2], [3, 1]), entry(1, 1), 0, 1],
  ])('when transitions are told %s', (_how, events, one, twice, missing) => {
    const found = compareTold([one], events);
    expect([found.twice.length, found.missing.length]).toEqual([twice, missing]);
  });
});
