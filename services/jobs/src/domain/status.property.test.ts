import { status, type StatusId } from '@joblisting/contracts';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { dateOf } from './dates.ts';
import { applyDueTransitions, dueTransitions, nextTransitionAt, statusAt, type Timeline } from './status.ts';

fc.configureGlobal({ seed: 20_261_120, numRuns: 200 });

const HOUR = 3600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-02-25T00:00:00Z');
const DAYS = 12;

// A few days, so that dates and instants often meet.
const date = fc.integer({ min: 0, max: DAYS }).map((day) => dateOf(START + day * DAY));
const dates = fc.record({ publishDate: date, closeDate: fc.option(date) });
const instant = fc.oneof(
  fc.integer({ min: START - 2 * DAY, max: START + (DAYS + 2) * DAY }),
  fc
    .tuple(fc.integer({ min: -2, max: DAYS + 2 }), fc.constantFrom(-1, 0, 1))
    .map(([day, ms]) => START + day * DAY + 12 * HOUR + ms),
);
const instants = fc
  .array(instant, { minLength: 2, maxLength: 6 })
  .map((all) => all.toSorted((a, b) => a - b));
const stored: fc.Arbitrary<Timeline> = fc
  .record({
    dates,
    statusId: fc.constantFrom<StatusId>(1, 2, 3, 5),
    version: fc.integer({ min: 1, max: 1e6 }),
  })
  .map(({ dates: { publishDate, closeDate }, statusId, version }) => ({
    publishDate,
    closeDate,
    statusId,
    version,
  }));

const rank = { [status.pending]: 0, [status.published]: 1, [status.closed]: 2, [status.draft]: 3 } as const;

describe('statusAt', () => {
  it('is what the spec says, word for word', () => {
    fc.assert(
      fc.property(dates, instant, ({ publishDate, closeDate }, now) => {
        const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`);
        const hasClosed = closeDate !== null && now >= noonOf(closeDate);
        const hasOpened = now >= noonOf(publishDate) - DAY;
        const expected = hasClosed ? status.closed : hasOpened ? status.published : status.pending;
        expect(statusAt({ publishDate, closeDate }, now)).toBe(expected);
      }),
    );
  });

  it('never moves back as time goes on', () => {
    fc.assert(
      fc.property(dates, instants, (each, times) => {
        const ranks = times.map((now) => rank[statusAt(each, now)]);
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('applyDueTransitions', () => {
  it('gives a job made some time ago the status of one made now', () => {
    fc.assert(
      fc.property(dates, instants, (each, times) => {
        const [made, now] = [times[0] as number, times.at(-1) as number];
        const job = { ...each, statusId: statusAt(each, made), version: 1 };
        expect(applyDueTransitions(job, now).statusId).toBe(statusAt(each, now));
      }),
    );
  });

  it('does the same in many steps as in one, and nothing the second time', () => {
    fc.assert(
      fc.property(stored, instants, (job, times) => {
        const now = times.at(-1) as number;
        const once = applyDueTransitions(job, now);
        let stepped = job;
        const passed = times.flatMap((time) => {
          const step = dueTransitions(stepped, time);
          stepped = applyDueTransitions(stepped, time);
          return step;
        });
        expect(stepped).toEqual(once);
        expect(passed).toEqual(dueTransitions(job, now));
        expect(dueTransitions(once, now)).toEqual([]);
      }),
    );
  });

  it('raises version and status one by one, at instants that have come', () => {
    fc.assert(
      fc.property(stored, instant, (job, now) => {
        const passed = dueTransitions(job, now);
        const settled = applyDueTransitions(job, now);
        expect(passed.map(({ version }) => version)).toEqual(
          passed.map((_, index) => job.version + 1 + index),
        );
        expect(settled.version).toBe(job.version + passed.length);
        let last = -Infinity;
        for (const { at } of passed) {
          expect(at).toBeGreaterThanOrEqual(last);
          expect(at).toBeLessThanOrEqual(now);
          last = at;
        }
        const ranks = [job.statusId, ...passed.map(({ statusId }) => statusId)].map((id) => rank[id]);
        expect(ranks).toEqual([...new Set(ranks)].toSorted((a, b) => a - b));
        const next = nextTransitionAt(settled);
        expect(next === null || next > now).toBe(true);
      }),
    );
  });

  it('leaves what is Closed or a Draft as it is', () => {
    fc.assert(
      fc.property(stored, fc.constantFrom<StatusId>(2, 5), instant, (job, statusId, now) => {
        expect(dueTransitions({ ...job, statusId }, now)).toEqual([]);
      }),
    );
  });
});
