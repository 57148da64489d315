import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { forgetJobs, getJobMetrics, JobMetrics, type MetricsEvent } from '@joblisting/contracts';
import { compileBody, ownCall } from '@joblisting/service-kit';
import { counterModel } from '../src/models/counter.ts';
import { dayIds, dayModel } from '../src/models/day.ts';
import { type RunningMetrics, reader, readSeries, runMetrics, send } from './running-metrics.ts';

const NOW = '2026-03-10T15:15:00Z';
const NONE = { views: 0, applications: 0, clickThroughs: 0 };

let metrics: RunningMetrics;
let jobId = 0;
beforeAll(async () => {
  metrics = await runMetrics();
  await Promise.all([metrics.addReplica(), metrics.addReplica()]);
});
afterAll(() => metrics.stop());
beforeEach(() => {
  metrics.clock.set(NOW);
  metrics.jobs.existing.add(++jobId);
});

let last = 0;
const event = (more: Partial<MetricsEvent> = {}): MetricsEvent => ({
  id: `event-${++last}`,
  jobId,
  type: 'view',
  ...more,
});
const count = (...events: MetricsEvent[]) => send(metrics.bus, events);
const read = (period: { from?: string; to?: string } = {}) => readSeries(metrics.bus, jobId, period);
const refusalOf = (params: object, context = reader()) =>
  metrics.bus
    .request(getJobMetrics, { params: { jobId, ...params }, context })
    .catch((error: unknown) => error);

describe('getJobMetrics', () => {
  it('counts by day, source and type, in order of day and source', async () => {
    await count(
      event({ source: 'site' }),
      event({ source: 'indeed', type: 'application' }),
      event(),
      event({ source: null, type: 'clickThrough' }),
      event({ source: 'site', at: '2026-03-08T23:59:59Z' }),
      event({ source: 'site', at: '2026-03-08T00:00:00Z' }),
      event({ at: '2026-03-09T12:00:00Z' }),
    );
    const data = await read();
    expect(data).toEqual({
      from: '2026-02-09',
      to: '2026-03-10',
      interval: 'day',
      counts: { views: 5, applications: 1, clickThroughs: 1 },
      outside: NONE,
      series: [
        { ...NONE, date: '2026-03-08', source: 'site', views: 2 },
        { ...NONE, date: '2026-03-09', source: null, views: 1 },
        { ...NONE, date: '2026-03-10', source: null, views: 1, clickThroughs: 1 },
        { ...NONE, date: '2026-03-10', source: 'indeed', applications: 1 },
        { ...NONE, date: '2026-03-10', source: 'site', views: 1 },
      ],
    });
    expect(compileBody(JobMetrics).check(data)).toEqual([]);
  });

  it('adds to the rows that are there', async () => {
    for (let time = 0; time < 3; time++) await count(event({ source: 'site' }), event());
    expect((await read()).series).toEqual([
      { ...NONE, date: '2026-03-10', source: null, views: 3 },
      { ...NONE, date: '2026-03-10', source: 'site', views: 3 },
    ]);
  });

  it('has nothing of a job without events', async () => {
    expect(await read()).toMatchObject({ counts: NONE, outside: NONE, series: [] });
  });

  it('has nothing of other jobs', async () => {
    metrics.jobs.existing.add(900);
    await count(event({ jobId: 900, source: 'site' }), event());
    expect(await read()).toMatchObject({ counts: { views: 1 }, series: [{ source: null, views: 1 }] });
  });

  it('counts a day by the clock where `at` cannot be believed', async () => {
    await count(event({ at: '2026-03-03T15:14:59Z' }), event({ at: '2026-03-10T15:15:01Z' }));
    metrics.clock.set('2026-03-11T00:00:00Z');
    await count(event());
    expect((await read()).series.map(({ date, views }) => [date, views])).toEqual([
      ['2026-03-10', 2],
      ['2026-03-11', 1],
    ]);
  });

  it('has what lies before and after its days in `outside`', async () => {
    await count(
      event({ at: '2026-03-07T12:00:00Z' }),
      event({ at: '2026-03-08T12:00:00Z' }),
      event({ at: '2026-03-09T12:00:00Z', type: 'application' }),
      event(),
    );
    expect(await read({ from: '2026-03-08', to: '2026-03-09' })).toEqual({
      from: '2026-03-08',
      to: '2026-03-09',
      interval: 'day',
      counts: { views: 3, applications: 1, clickThroughs: 0 },
      outside: { ...NONE, views: 2 },
      series: [
        { ...NONE, date: '2026-03-08', source: null, views: 1 },
        { ...NONE, date: '2026-03-09', source: null, applications: 1 },
      ],
    });
  });

  it('has counts of the release before in `outside`: they have no day', async () => {
    await counterModel(metrics.mongo).insertOne({ _id: jobId, view: 7, application: 1, clickThrough: 0 });
    await count(event({ source: 'site' }));
    expect(await read()).toMatchObject({
      counts: { views: 8, applications: 1 },
      outside: { views: 7, applications: 1 },
      series: [{ source: 'site', views: 1 }],
    });
  });

  it('counts a repeated event on no other day', async () => {
    const first = event();
    await count(first);
    metrics.clock.set('2026-03-11T15:15:00Z');
    await count(first, { ...first, source: 'site' });
    expect((await read()).series).toEqual([{ ...NONE, date: '2026-03-10', source: null, views: 1 }]);
  });
});

describe('getJobMetrics › sources', () => {
  const sources = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => event({ source: `s${from + index}` }));

  it('tells the first 50 of a job apart, and folds the others into `other`', async () => {
    await count(...sources(0, 49));
    await count(...sources(48, 55));
    const { series, outside } = await read();
    expect(series).toHaveLength(51);
    expect(series.find(({ source }) => source === 's48')).toMatchObject({ views: 2 });
    expect(series.find(({ source }) => source === 'other')).toMatchObject({ views: 5 });
    expect(outside).toEqual(NONE);
    // A source that is known keeps its row.
    await count(event({ source: 's3' }), event({ source: 's54' }));
    const later = (await read()).series;
    expect(later.find(({ source }) => source === 's3')).toMatchObject({ views: 2 });
    expect(later.find(({ source }) => source === 'other')).toMatchObject({ views: 6 });
  });

  it('tells no more apart where replicas count at the same time', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, batch) => count(...sources(batch * 10, batch * 10 + 10))),
    );
    const { series, counts } = await read();
    expect(counts.views).toBe(120);
    expect(series).toHaveLength(51);
    expect(series.find(({ source }) => source === 'other')).toMatchObject({ views: 70 });
    const { sources: known } = (await counterModel(metrics.mongo).findById(jobId).lean()) ?? {};
    expect(new Set(known).size).toBe(50);
  });

  it.each(['', 'Site', 'a b', 'naïve', 'x'.repeat(41), 'other', 'a\n', 'a/b', 5])(
    'rejects the event with %j',
    async (source) => {
      const receipt = await send(metrics.bus, [{ ...event(), source }, event()]);
      expect(receipt).toMatchObject({
        accepted: 1,
        rejected: [{ index: 0, code: 'invalid_event', pointer: '#/events/0/source' }],
      });
    },
  );

  it.each(['site', 'a', '0', '.', 'search.example', 'a_b-c.9', 'x'.repeat(40), null])(
    'takes %j',
    async (source) => {
      await count(event({ source }));
      expect((await read()).series).toMatchObject([{ source, views: 1 }]);
    },
  );

  it('are forgotten with their job', async () => {
    await count(...sources(0, 3), event());
    await metrics.bus.request(forgetJobs, { body: { jobIds: [jobId] }, context: ownCall(5000) });
    expect(await dayModel(metrics.mongo).countDocuments({ _id: dayIds(jobId) })).toBe(0);
    expect(await read()).toMatchObject({ counts: NONE, outside: NONE, series: [] });
  });
});

describe('getJobMetrics › invalid_parameter', () => {
  it.each([
    ['from', 'invalid_date', { from: '2026-02-30' }],
    ['from', 'invalid_date', { from: '' }],
    ['to', 'invalid_date', { to: '1969-12-31' }],
    ['to', 'invalid_date', { to: '2026-03-10T00:00:00Z' }],
    ['from', 'mismatch', { from: '2026-03-09', to: '2026-03-08' }],
    ['from', 'out_of_range', { from: '2025-03-09', to: '2026-03-10' }],
    ['interval', 'not_allowed', { interval: 'week' }],
  ])('names %s (%s): %j', async (parameter, code, params) => {
    expect(await refusalOf(params)).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter, code }],
    });
  });

  it('comes before the job is looked for', async () => {
    metrics.jobs.existing.delete(jobId);
    expect(await refusalOf({ from: 'soon' })).toMatchObject({ code: 'invalid_parameter' });
  });
});

describe('getJobMetrics › job_not_found', () => {
  it('for an unknown job, and for a deleted one that is not forgotten yet', async () => {
    await count(event());
    metrics.jobs.existing.delete(jobId);
    expect(await refusalOf({})).toMatchObject({ code: 'job_not_found' });
    expect(await refusalOf({ jobId: 999_999 })).toMatchObject({ code: 'job_not_found' });
  });

  it('for a job of another company', async () => {
    await count(event());
    expect(await refusalOf({}, reader([2]))).toMatchObject({ code: 'job_not_found' });
  });
});

describe('getJobMetrics › refused', () => {
  it('scope_missing for a caller without jobs:read', async () => {
    const refusal = await refusalOf({}, reader([1], ['metrics:write', 'jobs:write']));
    expect(refusal).toMatchObject({ code: 'scope_missing' });
  });

  it('unavailable while jobs is', async () => {
    await metrics.jobs.leave();
    expect(await refusalOf({})).toMatchObject({ code: 'unavailable', reason: 'no_responder' });
    await metrics.jobs.join();
    expect(await read()).toMatchObject({ counts: NONE });
  });
});
