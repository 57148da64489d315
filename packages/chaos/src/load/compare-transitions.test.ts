import { describe, expect, it } from '@jest/globals';
import type { Entry } from './journal.ts';
import type { ReceivedEvent } from './ledger.ts';
import { compareTransitions } from './compare-transitions.ts';

const entryWith = (transitions: number, statusId: number) =>
  ({ id: 7, name: 'w0-1', transitions, statusId }) as Entry;
const received = (...events: [version: number, statusId: number][]): ReceivedEvent[] =>
  events.map(([version, statusId]) => ({ jobId: 7, version, statusId, at: 0, arrivedAt: 0 }));

describe('compareTransitions', () => {
  it.each([
    ['once each', received([1, 1], [3, 2], [4, 1]), entryWith(3, 1), 0, 0],
    ['in another order', received([3, 2], [1, 1]), entryWith(2, 2), 0, 0],
    ['one of them twice', received([1, 1], [1, 1]), entryWith(1, 1), 1, 1],
    ['not at all', [], entryWith(1, 1), 0, 1],
    ['without the last one', received([1, 1]), entryWith(2, 2), 0, 1],
    ['without one in between', received([1, 1], [4, 1]), entryWith(3, 1), 0, 1],
    ['with an unexpected one', received([1, 1], [2, 2], [3, 1]), entryWith(1, 1), 0, 1],
  ])('events %s', (_how, events, entry, twice, missing) => {
    const result = compareTransitions([entry], events);
    expect([result.twice.length, result.missing.length]).toEqual([twice, missing]);
  });
});
