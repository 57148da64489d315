import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { instantsDue, latestInstant, MAX_MISSED } from './instants.ts';

fc.configureGlobal({ seed: 20_261_120, numRuns: 200 });

const DAY = 86_400_000;
const now = fc.integer({ min: 0, max: 4e12 });

describe('instantsDue', () => {
  it('are noons that have come, one a day, none twice, up to the latest', () => {
    fc.assert(
      fc.property(
        now,
        fc.option(fc.integer({ min: -60 * DAY, max: 2 * DAY }), { nil: undefined }),
        (at, ago) => {
          const due = instantsDue(ago === undefined ? undefined : at + ago, at);
          expect(due.length).toBeLessThanOrEqual(MAX_MISSED);
          for (const [index, instant] of due.entries()) {
            expect(new Date(instant).toISOString()).toMatch(/T12:00:00\.000Z$/);
            expect(instant).toBe(latestInstant(at) - (due.length - 1 - index) * DAY);
          }
          expect(latestInstant(at) <= at && at < latestInstant(at) + DAY).toBe(true);
          expect(instantsDue(latestInstant(at), at)).toEqual([]);
        },
      ),
    );
  });
});
