import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JobMetrics } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { type Client, createClient, dateIn, jobBody, useWorld } from '../src/index.ts';

const world = useWorld();
let site: Client;
beforeAll(async () => {
  const scopes = ['metrics:write', 'applications:write'] as const;
  site = createClient(world.origin, { consumer: (await world.operator.consumerKey(scopes)).secret });
});

const NONE = { views: 0, applications: 0, clickThroughs: 0 };
const newJob = async () => (await world.api.post('/jobs', jobBody(world.companyId))).json.data.id as number;
const event = (jobId: number, more: object = {}) => ({
  id: crypto.randomUUID(),
  jobId,
  type: 'view',
  ...more,
});
const record = (...events: object[]) => site.post('/metrics/events', { events });
const read = async (jobId: number, query = '') => {
  const { status, json } = await world.api.get(`/jobs/${jobId}/metrics${query}`);
  return { status, json, data: json.data as JobMetrics };
};

describe('GET /jobs/{jobId}/metrics › 200', () => {
  it('counts by day and source, as the job does in all', async () => {
    const jobId = await newJob();
    const yesterday = `${dateIn(-1)}T12:00:00Z`;
    await record(
      event(jobId, { source: 'indeed' }),
      event(jobId, { source: 'indeed' }),
      event(jobId, { type: 'clickThrough', at: yesterday }),
      event(jobId, { source: 'site', at: yesterday }),
    );
    const { status, json, data } = await read(jobId);
    expect([status, json.warnings]).toEqual([200, []]);
    expect(data).toEqual({
      from: dateIn(-29),
      to: dateIn(0),
      interval: 'day',
      counts: { views: 3, applications: 0, clickThroughs: 1 },
      outside: NONE,
      series: [
        { ...NONE, date: dateIn(-1), source: null, clickThroughs: 1 },
        { ...NONE, date: dateIn(-1), source: 'site', views: 1 },
        { ...NONE, date: dateIn(0), source: 'indeed', views: 2 },
      ],
    });
    const shown = async () => {
      const { viewCount, applicationCount, clickThroughCount } = (await world.api.get(`/jobs/${jobId}`)).json
        .data;
      return [viewCount, applicationCount, clickThroughCount].join();
    };
    await waitFor(async () => (await shown()) === '3,0,1', { what: 'the counts on the job' });
  });

  it('has other days in `outside`', async () => {
    const jobId = await newJob();
    await record(event(jobId), event(jobId, { at: `${dateIn(-2)}T12:00:00Z` }));
    const { data } = await read(jobId, `?from=${dateIn(-2)}&to=${dateIn(-1)}&interval=day`);
    expect(data).toMatchObject({
      counts: { views: 2 },
      outside: { views: 1 },
      series: [{ date: dateIn(-2), source: null, views: 1 }],
    });
  });

  it('has applications by their own source, where it is one word', async () => {
    const jobId = await newJob();
    for (const [index, source] of ['indeed', 'Told by a friend'].entries()) {
      const applicant = { name: 'Ada', email: `ada-${index}@example.com` };
      const { status } = await site.post(`/jobs/${jobId}/applications`, { applicant, source });
      expect(status).toBe(201);
    }
    const counted = async () => (await read(jobId)).data;
    await waitFor(async () => (await counted()).counts.applications === 2, { what: 'both applications' });
    expect((await counted()).series.map(({ source, applications }) => [source, applications])).toEqual([
      [null, 1],
      ['indeed', 1],
    ]);
  });

  it('warns about an unknown parameter', async () => {
    const { status, json } = await read(await newJob(), '?source=site');
    expect([status, json.warnings]).toEqual([
      200,
      [expect.objectContaining({ code: 'unknown_field', parameter: 'source' })],
    ]);
  });
});

describe('GET /jobs/{jobId}/metrics › refused', () => {
  it.each([
    ['from', '?from=2026-02-30'],
    ['from', '?from='],
    ['to', '?to=tomorrow'],
    ['from', '?from=2026-02-02&to=2026-02-01'],
    ['from', '?from=2025-01-01&to=2026-01-02'],
    ['interval', '?interval=week'],
    ['to', '?to=2026-02-01&to=2026-02-01'],
    ['jobId', '', 'x'],
  ])('400 names %s: %s', async (parameter, query, id = '1') => {
    const { status, json } = await world.api.get(`/jobs/${id}/metrics${query}`);
    expect([status, json.code]).toEqual([400, 'invalid_parameter']);
    expect(json.errors).toEqual([expect.objectContaining({ parameter })]);
  });

  it('404 for a deleted job', async () => {
    const jobId = await newJob();
    await record(event(jobId));
    await world.api.delete(`/jobs/${jobId}`);
    const { status, json } = await read(jobId);
    expect([status, json.code]).toEqual([404, 'job_not_found']);
  });

  it('401 without a user key', async () => {
    const { consumerKey: consumer, origin } = world;
    const { status } = await createClient(origin, { consumer }).get('/jobs/1/metrics');
    expect(status).toBe(401);
  });

  it('405 for another method', async () => {
    const { status, headers } = await world.api.put('/jobs/1/metrics', {});
    expect([status, headers.get('allow')?.split(', ').includes('GET')]).toEqual([405, true]);
  });
});
