import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { increments, newEvents, receipts } from './tally.ts';

fc.configureGlobal({ seed: 20_261_120, numRuns: 200 });

// Few ids, so that they meet.
const event = fc.record({
  id: fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'),
  jobId: fc.integer({ min: 1, max: 4 }),
  type: fc.constantFrom('view' as const, 'application' as const, 'clickThrough' as const),
});
const batches = fc.array(fc.record({ sender: fc.constant('s'), events: fc.array(event) }));
const jobIds = new Set([1, 2, 3]);

describe('a tally', () => {
  it('counts each id of an existing job once, and every event in one way', () => {
    fc.assert(
      fc.property(batches, fc.subarray(['a', 'b', 'c']), (sent, before) => {
        const counted = new Set(before.map((id) => `s:${id}`));
        const given = receipts(sent, jobIds, counted);
        const all = sent.flatMap(({ events }) => events);
        for (const [index, { accepted, duplicates, rejected }] of given.entries()) {
          expect(accepted + duplicates + rejected.length).toBe(sent[index]?.events.length);
        }
        const accepted = given.reduce((sum, each) => sum + each.accepted, 0);
        const known = all.filter(({ jobId, id }) => jobIds.has(jobId) && !before.includes(id));
        expect(accepted).toBe(new Set(known.map(({ id }) => id)).size);

        const fresh = [...newEvents(sent, jobIds)].flatMap(([id, one]) => (counted.has(id) ? [] : [one]));
        const sums = increments(fresh).map((each) => each.view + each.application + each.clickThrough);
        expect(sums.reduce((sum, each) => sum + each, 0)).toBe(accepted);
      }),
    );
  });
});
