import { describe, expect, it } from '@jest/globals';
import type { MetricsEvent } from '@joblisting/contracts';
import * as fc from 'fast-check';
import { dayIncrements, dayOf, jobsWithSources, type Sources } from './day-counts.ts';
import { increments } from './tally.ts';

const now = Date.parse('2026-03-10T15:15:00Z');
const none: Sources = new Map();
const view = (jobId: number, source?: string | null, at?: string): MetricsEvent => ({
  id: 'a',
  jobId,
  type: 'view',
  ...(source !== undefined && { source }),
  ...(at !== undefined && { at }),
});
const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `s${from + index}`);

describe('dayOf', () => {
  it.each([
    ['that of `at`', '2026-03-09T12:00:00Z', '2026-03-09'],
    ['the UTC day of `at`, whatever its offset', '2026-03-09T01:00:00+02:00', '2026-03-08'],
    ['that of the present instant', '2026-03-10T15:15:00Z', '2026-03-10'],
    ['that of its receipt, for an instant in the future', '2026-03-11T00:00:00Z', '2026-03-10'],
    ['that of `at`, exactly 7 days ago', '2026-03-03T15:15:00Z', '2026-03-03'],
    ['that of its receipt, for an older instant', '2026-03-03T15:14:59.999Z', '2026-03-10'],
  ])('is %s', (_what, at, day) => {
    expect(dayOf(at, now)).toBe(day);
  });

  it('begins at midnight, UTC', () => {
    const midnight = Date.parse('2026-03-10T00:00:00Z');
    expect(dayOf('2026-03-09T23:59:59.999Z', midnight)).toBe('2026-03-09');
    expect(dayOf('2026-03-10T00:00:00Z', midnight)).toBe('2026-03-10');
  });
});

describe('jobsWithSources', () => {
  it('names each job of an event with a source once', () => {
    const events = [view(1), view(2, 'site'), view(3, null), view(2, 'indeed')];
    expect(jobsWithSources(events)).toEqual([2]);
  });
});

describe('dayIncrements', () => {
  it('adds up by job, day, source and type', () => {
    const events = [
      view(1),
      view(1, null),
      view(1, 'site'),
      { ...view(1, 'site'), type: 'clickThrough' as const },
      view(1, 'site', '2026-03-09T12:00:00Z'),
      view(2, 'site'),
    ];
    const { days, newSources } = dayIncrements(events, none, now);
    const empty = { view: 0, application: 0, clickThrough: 0 };
    const today = { ...empty, day: '2026-03-10' };
    expect(days).toEqual([
      { ...today, jobId: 1, source: null, view: 2 },
      { ...today, jobId: 1, source: 'site', view: 1, clickThrough: 1 },
      { ...empty, jobId: 1, day: '2026-03-09', source: 'site', view: 1 },
      { ...today, jobId: 2, source: 'site', view: 1 },
    ]);
    expect(newSources).toEqual(
      new Map([
        [1, ['site']],
        [2, ['site']],
      ]),
    );
  });

  it('counts an event without `at` on the UTC day of its receipt', () => {
    const midnight = Date.parse('2026-03-10T00:00:00Z');
    const dayAt = (at: number) => dayIncrements([view(1)], none, at).days[0]?.day;
    expect([midnight - 1, midnight].map(dayAt)).toEqual(['2026-03-09', '2026-03-10']);
  });

  it('tells the first 50 sources of a job apart, and folds the others', () => {
    const known = new Map([[1, names(0, 49)]]);
    const events = ['s7', 'new', 'late', 's48', 'new', 'later'].map((source) => view(1, source));
    const { days, newSources } = dayIncrements([...events, view(2, 'late')], known, now);
    expect(days.map(({ jobId, source, view }) => [jobId, source, view])).toEqual([
      [1, 's7', 1],
      [1, 'new', 2],
      [1, 'other', 2],
      [1, 's48', 1],
      [2, 'late', 1],
    ]);
    expect(newSources).toEqual(
      new Map([
        [1, ['new']],
        [2, ['late']],
      ]),
    );
  });

  it('folds within one batch, too', () => {
    const { days, newSources } = dayIncrements(
      names(0, 60).map((source) => view(1, source)),
      none,
      now,
    );
    expect(days).toHaveLength(51);
    expect(days.at(-1)).toMatchObject({ source: 'other', view: 10 });
    expect(newSources.get(1)).toHaveLength(50);
  });
});

describe('the days of a job', () => {
  const event: fc.Arbitrary<MetricsEvent> = fc.record(
    {
      id: fc.constant('a'),
      jobId: fc.integer({ min: 1, max: 3 }),
      type: fc.constantFrom('view' as const, 'application' as const, 'clickThrough' as const),
      at: fc
        .date({ min: new Date(now - 10 * 86_400_000), max: new Date(now + 86_400_000), noInvalidDate: true })
        .map((date) => date.toISOString()),
      source: fc.oneof(fc.constant(null), fc.constantFrom('site', 'indeed', ...names(0, 70))),
    },
    { requiredKeys: ['id', 'jobId', 'type'] },
  );

  it('add up to its totals over any batches, with at most 50 sources, `other` and none', () => {
    fc.assert(
      fc.property(fc.array(fc.array(event, { maxLength: 80 }), { maxLength: 4 }), (batches) => {
        const known = new Map<number, readonly string[]>();
        const rows = batches.flatMap((events) => {
          const { days, newSources } = dayIncrements(events, known, now);
          for (const [jobId, added] of newSources) known.set(jobId, [...(known.get(jobId) ?? []), ...added]);
          return days;
        });
        for (const { jobId, ...totals } of increments(batches.flat())) {
          const own = rows.filter((row) => row.jobId === jobId);
          const sumOf = (type: MetricsEvent['type']) => own.reduce((sum, row) => sum + row[type], 0);
          expect({
            view: sumOf('view'),
            application: sumOf('application'),
            clickThrough: sumOf('clickThrough'),
          }).toEqual(totals);
          expect(new Set(own.map(({ source }) => source)).size).toBeLessThanOrEqual(52);
          expect(known.get(jobId)?.length ?? 0).toBeLessThanOrEqual(50);
          expect(new Set(known.get(jobId)).size).toBe(known.get(jobId)?.length ?? 0);
        }
        for (const { day, view, application, clickThrough } of rows) {
          expect(day >= '2026-03-03' && day <= '2026-03-10').toBe(true);
          expect(view + application + clickThrough).toBeGreaterThan(0);
        }
      }),
    );
  });
});
