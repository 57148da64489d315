import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RejectedEvent } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { type Client, createClient, jobBody, useWorld } from '../src/index.ts';

const world = useWorld();
let site: Client;
beforeAll(async () => {
  site = createClient(world.origin, {
    consumer: (await world.operator.consumerKey(['metrics:write'])).secret,
  });
});

const newJob = async () => (await world.api.post('/jobs', jobBody(world.companyId))).json.data.id as number;
const event = (jobId: number, type = 'view', id: string = crypto.randomUUID()) => ({ id, jobId, type });
const record = (events: unknown[]) => site.post('/metrics/events', { events });
const counts = async (jobId: number) => {
  const { viewCount, applicationCount, clickThroughCount } = (await world.api.get(`/jobs/${jobId}`)).json
    .data;
  return [viewCount, applicationCount, clickThroughCount];
};
const waitForCounts = (jobId: number, expected: number[]) =>
  waitFor(async () => String(await counts(jobId)) === String(expected), {
    what: `counts ${expected.join()} on job ${jobId}`,
  });

describe('POST /metrics/events › 200', () => {
  it('counts by type, for jobs and lists', async () => {
    const jobId = await newJob();
    const answer = await record([
      event(jobId),
      event(jobId),
      event(jobId, 'application'),
      event(jobId, 'clickThrough'),
    ]);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ data: { accepted: 4, duplicates: 0, rejected: [] }, warnings: [] });
    await waitForCounts(jobId, [2, 1, 1]);
    const { json } = await world.api.get(`/jobs?company.id=${world.companyId}`);
    expect(json.data.find(({ id }: { id: number }) => id === jobId)).toMatchObject({
      viewCount: 2,
      applicationCount: 1,
      clickThroughCount: 1,
    });
  });

  it('never counts an id twice, in repeated and overlapping batches', async () => {
    const jobId = await newJob();
    const events = [event(jobId), event(jobId), event(jobId)];
    await record(events);
    expect((await record(events)).json.data).toEqual({ accepted: 0, duplicates: 3, rejected: [] });
    expect((await record([...events.slice(1), event(jobId)])).json.data).toEqual({
      accepted: 1,
      duplicates: 2,
      rejected: [],
    });
    await waitForCounts(jobId, [4, 0, 0]);
  });

  it('counts an id that another consumer has used, and tells neither of the other', async () => {
    const jobId = await newJob();
    const { secret } = await world.operator.consumerKey(['metrics:write']);
    const other = createClient(world.origin, { consumer: secret });
    const events = [event(jobId)];
    const sent = [site, other, other, site].map(
      ({ post }) =>
        () =>
          post('/metrics/events', { events }),
    );
    const receipts = [];
    for (const send of sent) receipts.push((await send()).json.data);
    expect(receipts.map(({ accepted, duplicates }) => [accepted, duplicates])).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
      [0, 1],
    ]);
    await waitForCounts(jobId, [2, 0, 0]);
  });

  it('accepts NDJSON', async () => {
    const jobId = await newJob();
    const raw = [event(jobId), event(jobId)].map((one) => JSON.stringify(one)).join('\n');
    const answer = await site.send('/metrics/events', {
      method: 'POST',
      raw: `${raw}\n`,
      contentType: 'application/x-ndjson',
    });
    expect(answer.json.data.accepted).toBe(2);
  });

  it('rejects events of unknown and deleted jobs', async () => {
    const jobId = await newJob();
    await world.api.delete(`/jobs/${jobId}`);
    const { json } = await record([event(2_147_483_647), event(await newJob()), event(jobId)]);
    expect(json.data).toEqual({
      accepted: 1,
      duplicates: 0,
      rejected: [
        { index: 0, code: 'unknown_job', detail: expect.any(String) },
        { index: 2, code: 'unknown_job', detail: expect.any(String) },
      ],
    });
  });

  it('does not raise the version of the job', async () => {
    const jobId = await newJob();
    const before = (await world.api.get(`/jobs/${jobId}`)).headers.get('etag')?.split('-')[0];
    await record([event(jobId)]);
    await waitForCounts(jobId, [1, 0, 0]);
    expect((await world.api.get(`/jobs/${jobId}`)).headers.get('etag')?.split('-')[0]).toBe(before);
  });
});

describe('POST /metrics/events › invalid_event', () => {
  it('rejects each event that breaks the schema, and counts the others', async () => {
    const jobId = await newJob();
    const { status, json } = await record([
      { jobId: 1, type: 'view' },
      event(jobId),
      event(jobId, 'like'),
      event(2_147_483_647),
      event(jobId, 'view', 'x'.repeat(65)),
      event(jobId),
    ]);
    expect(status).toBe(200);
    expect([json.data.accepted, json.data.duplicates]).toEqual([2, 0]);
    expect(
      json.data.rejected.map(({ index, code, pointer }: RejectedEvent) => [index, code, pointer]),
    ).toEqual([
      [0, 'invalid_event', '#/events/0/id'],
      [2, 'invalid_event', '#/events/2/type'],
      [3, 'unknown_job', undefined],
      [4, 'invalid_event', '#/events/4/id'],
    ]);
    await waitForCounts(jobId, [2, 0, 0]);
  });

  it('rejects a line of NDJSON that is not JSON', async () => {
    const jobId = await newJob();
    const { status, json } = await site.send('/metrics/events', {
      method: 'POST',
      raw: `{"id":\n${JSON.stringify(event(jobId))}\n`,
      contentType: 'application/x-ndjson',
    });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ accepted: 1, rejected: [{ index: 0, code: 'invalid_event' }] });
  });
});

describe('POST /metrics/events › refused', () => {
  it.each([
    [{}, '#/events'],
    [{ events: {} }, '#/events'],
    [{ events: null }, '#/events'],
  ])('422 for a body without a list: %j', async (body, pointer) => {
    const { status, json } = await site.post('/metrics/events', body);
    expect(status).toBe(422);
    expect(json.errors).toEqual([expect.objectContaining({ pointer })]);
  });

  it('422 for no events or more than 1,000', async () => {
    expect((await record([])).status).toBe(422);
    expect((await record(Array.from({ length: 1001 }, () => event(1)))).status).toBe(422);
  });

  it('401 without a key, 403 without the scope', async () => {
    expect((await world.anonymous.post('/metrics/events', { events: [event(1)] })).status).toBe(401);
    expect((await world.api.post('/metrics/events', { events: [event(1)] })).json.code).toBe('scope_missing');
  });
});
