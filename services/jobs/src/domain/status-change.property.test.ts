import type { JobChanges, StatusId } from '@joblisting/contracts';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { closeDateAt, closeInstant, dateOf, publishDateAt, publishInstant } from './dates.ts';
import { newFindings } from './findings.ts';
import { dueTransitions, statusAt } from './status.ts';
import { changeStatus } from './status-change.ts';

fc.configureGlobal({ seed: 20_261_120, numRuns: 200 });

const DAY = 24 * 3600_000;
const START = Date.parse('2026-02-25T00:00:00Z');
const date = fc.integer({ min: 0, max: 12 }).map((day) => dateOf(START + day * DAY));
const now = fc.integer({ min: START - 2 * DAY, max: START + 14 * DAY });
const anyDate = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });

/** A job as it stands at `now`. */
const job = fc
  .record({
    publishDate: date,
    closeDate: fc.option(date),
    kind: fc.constantFrom('derived', 'draft', 'closed'),
    now,
  })
  .map(({ kind, now, ...dates }) => {
    const statusId: StatusId = kind === 'draft' ? 5 : kind === 'closed' ? 2 : statusAt(dates, now);
    return { before: { ...dates, statusId }, now };
  });
const body: fc.Arbitrary<JobChanges> = fc
  .record({
    publishDate: fc.option(date, { nil: undefined }),
    closeDate: fc.option(fc.option(date), { nil: undefined }),
    status: fc.option(
      fc.constantFrom(1 as const, 2 as const).map((id) => ({ id })),
      { nil: undefined },
    ),
  })
  .map((changes) => JSON.parse(JSON.stringify(changes)) as JobChanges);

describe('changeStatus', () => {
  it('leaves nothing for the clock to change at once', () => {
    fc.assert(
      fc.property(job, body, ({ before, now }, changes) => {
        const after = changeStatus(before, changes, now, newFindings());
        expect(dueTransitions({ ...after, version: 1 }, now)).toEqual([]);
      }),
    );
  });

  it('closes with status 2, at a date that has come, whatever else is sent', () => {
    fc.assert(
      fc.property(job, body, ({ before, now }, changes) => {
        const after = changeStatus(before, { ...changes, status: { id: 2 } }, now, newFindings());
        expect(after.statusId).toBe(2);
        expect(closeInstant(after.closeDate as string)).toBeLessThanOrEqual(now);
      }),
    );
  });

  it('publishes with status 1 alone', () => {
    fc.assert(
      fc.property(job, ({ before, now }) => {
        const after = changeStatus(before, { status: { id: 1 } }, now, newFindings());
        expect(after.statusId).toBe(1);
        expect(statusAt(after, now)).toBe(1);
      }),
    );
  });

  it('changes nothing a second time, nor where nothing is sent', () => {
    fc.assert(
      fc.property(job, body, ({ before, now }, changes) => {
        const after = changeStatus(before, changes, now, newFindings());
        expect(changeStatus(after, changes, now, newFindings())).toEqual(after);
        expect(changeStatus(before, {}, now, newFindings())).toEqual(before);
      }),
    );
  });
});

describe('dates', () => {
  it('and their instants lead to each other', () => {
    fc.assert(
      fc.property(anyDate, (any) => {
        const day = dateOf(any.getTime());
        expect(publishDateAt(publishInstant(day))).toBe(day);
        expect(closeDateAt(closeInstant(day))).toBe(day);
        expect(closeInstant(day) - publishInstant(day)).toBe(DAY);
      }),
    );
  });

  it('that have closed are the latest of their kind', () => {
    fc.assert(
      fc.property(anyDate, (any) => {
        const at = any.getTime();
        const closedAt = closeInstant(closeDateAt(at));
        expect(closedAt <= at && at < closedAt + DAY).toBe(true);
      }),
    );
  });
});
