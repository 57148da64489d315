import { describe, expect, it } from '@jest/globals';
import { jobBody, newReference, useWorld } from '../../src/index.ts';

const world = useWorld();

/** What the company has, and whether another job has come since. */
async function company() {
  const { companyId, api, anonymous } = world;
  const [jobs, categories] = await Promise.all([
    api.get(`/jobs?company.id=${companyId}`),
    anonymous.get(`/jobcategories?company.id=${companyId}`),
  ]);
  return { jobs: [jobs.json.paging, jobs.json.data], categories: categories.json.data };
}

async function changingNothing<T>(call: () => Promise<T>): Promise<T> {
  const before = await company();
  const answer = await call();
  expect(await company()).toEqual(before);
  return answer;
}

describe('POST /jobs?dryRun=true', () => {
  it('answers what the request then does, and does nothing', async () => {
    const categories = [{ name: 'Legal' }, { name: 'Tried out' }, { name: 'tried OUT' }];
    const body = jobBody(world.companyId, { referenceId: newReference(), categories, salary: 1 });
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const tried = await changingNothing(() => world.api.post('/jobs?dryRun=true', body, { headers }));
    const made = await world.api.post('/jobs', body, { headers });
    expect([tried.status, made.status]).toEqual([201, 201]);
    expect(made.headers.get('idempotent-replayed')).toBeNull();
    const [legal, custom] = made.json.data.categories;
    expect(tried.json.data).toEqual({
      ...made.json.data,
      id: 0,
      url: expect.stringMatching(/\/Share\/Job0$/),
      categories: [legal, { ...custom, id: 0 }],
    });
    const notes = (answer: typeof made) =>
      answer.json.warnings.map(({ code, pointer }: Record<string, string>) => [code, pointer]);
    expect(notes(tried)).toEqual(notes(made));
  });

  it('409 names the holder of the referenceId', async () => {
    const body = jobBody(world.companyId, { referenceId: newReference() });
    const { json } = await world.api.post('/jobs', body);
    const { status, json: refusal } = await changingNothing(() => world.api.post('/jobs?dryRun=true', body));
    expect([status, refusal.code, refusal.conflict.id]).toEqual([409, 'reference_id_taken', json.data.id]);
  });
});

describe('PUT /jobs/{id}?dryRun=true', () => {
  it('answers the changed job, and leaves it at its version', async () => {
    const { json } = await world.api.post('/jobs', jobBody(world.companyId));
    const path = `/jobs/${json.data.id}`;
    const before = await world.api.get(path);
    const ifMatch = { headers: { 'If-Match': before.headers.get('etag') ?? '' } };
    const tried = await changingNothing(() => world.api.put(`${path}?dryRun=true`, { title: 'A' }, ifMatch));
    expect([tried.status, tried.json.data.title]).toEqual([200, 'A']);
    expect((await world.api.get(path)).headers.get('etag')).toBe(before.headers.get('etag'));
    await world.api.put(path, { title: 'B' });
    const late = await changingNothing(() => world.api.put(`${path}?dryRun=true`, { title: 'A' }, ifMatch));
    expect([late.status, late.json.code]).toEqual([412, 'version_mismatch']);
  });
});

describe('PUT /jobs?dryRun=true', () => {
  it('201, 200 and 422 as the request would be answered', async () => {
    const body = jobBody(world.companyId, { referenceId: newReference() });
    const put = (more: object = {}) =>
      changingNothing(() => world.api.put('/jobs?dryRun=true', { ...body, ...more }));
    expect(await put()).toMatchObject({ status: 201, json: { data: { id: 0 } } });
    const { json } = await world.api.put('/jobs', body);
    expect(await put({ title: 'A' })).toMatchObject({ status: 200, json: { data: { id: json.data.id } } });
    const { status, json: refusal } = await put({ categories: [{ id: 999_999_999 }], title: 5 });
    expect([status, refusal.errors.length > 0]).toEqual([422, true]);
  });
});
