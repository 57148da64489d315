import { describe, expect, it } from '@jest/globals';
import { jobBody, newReference, useWorld } from '../../src/index.ts';

const world = useWorld();
const post = (overrides: Record<string, unknown> = {}) =>
  world.api.post('/jobs', jobBody(world.companyId, overrides));
const postRaw = (raw: string) =>
  world.api.send('/jobs', { method: 'POST', raw, contentType: 'application/json' });
describe('properties that only the service writes', () => {
  const forged = {
    id: 1,
    _id: 1,
    displayDate: '1999-01-01',
    url: 'https://evil.example/',
    viewCount: 1000,
    applicationCount: 1000,
    clickThroughCount: 1000,
    version: 99,
    statusId: 5,
    companyId: 1,
    publishAt: '2000-01-01T00:00:00Z',
    nextTransitionAt: null,
    events: [{ type: 'job.published' }],
    outbox: [{ subject: 'x' }],
    idempotency: { key: 'x' },
    idempotencyKey: 'x',
    createdAt: '2000-01-01T00:00:00Z',
    principal: { companyIds: [1] },
    __v: 7,
  };
  const ignored = new Set(['id', 'displayDate', 'url', 'viewCount', 'applicationCount', 'clickThroughCount']);

  it('are ignored on a new job, with warnings for unknown ones', async () => {
    const plain = await post();
    const { status, json } = await post(forged);
    expect(status).toBe(201);
    const own = { id: expect.any(Number), url: expect.any(String) };
    expect(json.data).toEqual({ ...plain.json.data, ...own });
    expect([json.data.id, json.data.url]).not.toEqual([forged.id, forged.url]);
    const warned = json.warnings.map(({ pointer }: { pointer: string }) => pointer.slice(2));
    expect(warned.toSorted()).toEqual(
      Object.keys(forged)
        .filter((name) => !ignored.has(name))
        .toSorted(),
    );
  });

  it('are ignored on a change', async () => {
    const { json } = await post();
    const path = `/jobs/${json.data.id}`;
    const changed = await world.api.put(path, forged);
    expect([changed.status, changed.json.data]).toEqual([200, json.data]);
    expect((await world.api.get(path)).json.data).toEqual(json.data);
  });

  it('include the names of nested resources', async () => {
    const { json } = await post({
      company: { id: world.companyId, name: 'Forged' },
      categories: [{ id: 1, name: 'Forged' }],
      types: [{ id: 1, name: 'Forged' }],
      province: { id: 39_191_482, name: 'Forged', country: { id: 840, name: 'Forged' } },
      applicantRoutingType: { id: 1, name: 'Forged' },
      status: { id: 1, name: 'Forged' },
    });
    expect(JSON.stringify(json.data)).not.toContain('Forged');
  });

  it.each([3, 4, 5, 0, -1, 6])('status %d cannot be written over HTTP on a Published job', async (id) => {
    const { json } = await post();
    const { status } = await world.api.put(`/jobs/${json.data.id}`, { status: { id } });
    expect(status).toBe(422);
  });

  it('include the id and company of a category', async () => {
    const name = newReference();
    const { json } = await world.api.post('/jobcategories', {
      id: 1,
      name,
      company: { id: world.companyId },
    });
    const forgery = { name: `${name}2`, id: 2, company: { id: world.otherCompanyId } };
    const changed = await world.api.put(`/jobcategories/${json.data.id}`, forgery);
    expect(changed.json.data).toEqual({ ...json.data, name: `${name}2` });
  });
});

describe('database operators', () => {
  const operators = [
    { $gt: '' },
    { $ne: null },
    { $exists: true },
    { $in: [1, 2] },
    { $where: 'sleep(5000)' },
    { $regex: '.*' },
  ];

  it.each(operators)('%j in place of a value is refused', async (operator) => {
    for (const name of ['referenceId', 'title', 'city', 'employer', 'description', 'publishDate']) {
      const { status, json } = await post({ [name]: operator });
      expect([name, status]).toEqual([name, 422]);
      expect(json.errors).toContainEqual(expect.objectContaining({ pointer: `#/${name}`, code: 'type' }));
    }
    for (const name of ['company', 'province', 'applicantRoutingType', 'status']) {
      expect([name, (await post({ [name]: { id: operator } })).status]).toEqual([name, 422]);
    }
    for (const name of ['categories', 'types']) {
      expect([name, (await post({ [name]: [{ id: operator }] })).status]).toEqual([name, 422]);
    }
    const reference = { referenceId: operator, company: { id: world.companyId } };
    expect((await world.api.put('/jobs', reference)).status).toBe(422);
    expect((await world.api.delete('/jobs', reference)).status).toBe(422);
    expect((await world.api.delete('/jobs', { referenceId: 'x', company: { id: operator } })).status).toBe(
      422,
    );
  });

  it('are unknown properties', async () => {
    const { json: before } = await post();
    const names = ['$set', '$inc', '$where', 'status.id', 'company.id', 'counts.view', '$', '.', ''];
    const body = Object.fromEntries(names.map((name) => [name, { viewCount: 5 }]));
    const { status, json } = await world.api.put(`/jobs/${before.data.id}`, body);
    expect([status, json.data]).toEqual([200, before.data]);
    expect(json.warnings).toHaveLength(names.length);
  });

  it.each(['company.id[$gt]=0', 'company.id[]=1', 'company[id]=1', 'company.id%5B%24ne%5D=0'])(
    'are unknown parameters in a query: %s',
    async (query) => {
      const { status, json } = await world.api.get(`/jobs?${query}`);
      expect([status, json.errors]).toEqual([
        400,
        [expect.objectContaining({ parameter: 'company.id', code: 'required' })],
      ]);
    },
  );

  it.each([
    '$where',
    'a.b',
    '$ne',
    '{"$gt":""}',
    '__proto__',
    'constructor',
    "' || '1'=='1",
    '.*',
    'a\u2028b',
  ])('are plain text as values: %j', async (text) => {
    const { company } = jobBody(world.companyId);
    const referenceId = `${text} ${newReference()}`.slice(0, 50);
    const sent = { referenceId, title: text, categories: [{ name: text }], city: text };
    const { status, json } = await post(sent);
    expect([status, json.data]).toEqual([
      201,
      expect.objectContaining({ referenceId, title: text, city: text }),
    ]);
    const found = await world.api.put('/jobs', { referenceId, company });
    expect([found.status, found.json.data.id]).toEqual([200, json.data.id]);
    const near = { referenceId: `${referenceId.slice(0, -1)}.`, company };
    expect((await world.api.delete('/jobs', near)).status).toBe(404);
  });
});

describe('names that are special in JavaScript', () => {
  it.each([
    '{"__proto__":{"title":"x","admin":true}}',
    '{"constructor":{"prototype":{"admin":true}}}',
    '{"company":{"__proto__":{"id":1}}}',
    '{"__proto__":null,"toString":1,"hasOwnProperty":1,"valueOf":{}}',
  ])('are unknown properties: %s', async (raw) => {
    const { status, json } = await postRaw(raw);
    expect(status).toBe(422);
    // The API does not read their content.
    expect(json.errors).toContainEqual(expect.objectContaining({ pointer: '#/title', code: 'required' }));
  });

  it('do not affect later requests', async () => {
    const { json } = await post();
    const raw =
      '{"__proto__":{"title":"Polluted","viewCount":9},"constructor":{"prototype":{"city":"Polluted"}}}';
    const { json: changed } = await world.api.send(`/jobs/${json.data.id}`, { method: 'PUT', raw });
    expect(changed.data).toEqual(json.data);
    expect(changed.warnings.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '#/__proto__',
      '#/constructor',
    ]);
    expect((await post({ city: undefined })).json.data.city).toBeNull();
  });
});
