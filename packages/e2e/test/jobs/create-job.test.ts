import { describe, expect, it } from '@jest/globals';
import { dateIn, jobBody, newReference, useWorld } from '../../src/index.ts';

const world = useWorld();
const create = (overrides: Record<string, unknown> = {}) =>
  world.api.post('/jobs', jobBody(world.companyId, overrides));

describe('POST /jobs › 201', () => {
  it('answers with Location and the job', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    const { id } = answer.json.data;
    expect(answer.headers.get('location')).toBe(`${world.origin}/v1.0/jobs/${id}`);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.json.warnings).toEqual([]);
    expect((await world.api.get(`/jobs/${id}`)).json.data).toEqual(answer.json.data);
  });

  const statuses: [string, Record<string, unknown>, number][] = [
    ['Published when published in the past', { publishDate: dateIn(-2), closeDate: null }, 1],
    ['Published until a future close', { publishDate: dateIn(-2), closeDate: dateIn(10) }, 1],
    ['Pending when published later', { publishDate: dateIn(5), closeDate: null }, 3],
    ['Closed when closed in the past', { publishDate: dateIn(-9), closeDate: dateIn(-2) }, 2],
    ['Closed with a close before a future publication', { publishDate: dateIn(9), closeDate: dateIn(-2) }, 2],
  ];
  it.each(statuses)('derives: %s', async (_name, dates, statusId) => {
    expect((await create(dates)).json.data.status.id).toBe(statusId);
  });

  it('warns if the status sent differs from the derived one', async () => {
    const { json } = await create({ publishDate: dateIn(5), status: { id: 1 } });
    expect(json.data.status.id).toBe(3);
    expect(json.warnings).toEqual([
      expect.objectContaining({ code: 'status_derived', pointer: '#/status/id' }),
    ]);
  });

  it('ignores read-only properties silently and warns about unknown ones', async () => {
    const { json } = await create({
      id: 7,
      viewCount: 3,
      url: 'x',
      displayDate: 'never',
      colour: 'red',
      status: { id: 1, name: 'x' },
    });
    expect(json.warnings).toEqual([
      { code: 'unknown_field', detail: expect.any(String), pointer: '#/colour' },
    ]);
    expect(json.data.viewCount).toBe(0);
  });

  it('encodes HTML in a text description, once', async () => {
    const first = await create({ description: 'Use <b> & > wisely' });
    expect(first.json.data.description).toBe('Use &lt;b&gt; & &gt; wisely');
    expect(first.json.warnings).toEqual([expect.objectContaining({ code: 'html_encoded' })]);
    const again = await create({ description: first.json.data.description });
    expect(again.json.data.description).toBe('Use &lt;b&gt; & &gt; wisely');
    expect(again.json.warnings).toEqual([]);
  });

  it('stores an allowed html description unchanged', async () => {
    const description =
      '<div><p>We <strong>grow</strong> <em>roses</em>.<br></p><ul><li>a &amp; b</li></ul><a href="https://example.com/?a=1&amp;b=2" target="_blank">more</a></div>';
    const { status, json } = await create({ description, descriptionFormat: 'html' });
    expect(status).toBe(201);
    expect(json.data).toMatchObject({ description, descriptionFormat: 'html' });
  });

  it('returns a nation-wide job in the form that it accepts', async () => {
    const { json } = await create({ province: { country: { id: 124 } } });
    expect(json.data.province).toEqual({ id: null, name: null, country: { id: 124, name: 'Canada' } });
    expect((await create({ province: json.data.province })).status).toBe(201);
  });

  it('removes duplicate categories, types and e-mail addresses', async () => {
    const { json } = await create({
      categories: [{ id: 2 }, { id: 1 }, { id: 2 }],
      types: [{ id: 2 }, { id: 2 }],
      applicationEmails: ['a@example.com', 'a@example.com'],
    });
    expect(json.data.categories.map((category: { id: number }) => category.id)).toEqual([2, 1]);
    expect(json.data.types).toHaveLength(1);
    expect(json.data.applicationEmails).toEqual(['a@example.com']);
  });

  it('creates a category for a new name and maps a known name', async () => {
    const name = `Topiary ${crypto.randomUUID().slice(0, 8)}`;
    const first = await create({ categories: [{ name }, { name: 'engineering' }] });
    expect(first.json.data.categories).toEqual([
      { id: expect.any(Number), name },
      { id: 8, name: 'Engineering' },
    ]);
    expect(first.json.warnings).toEqual([
      expect.objectContaining({ code: 'category_created', pointer: '#/categories/0/name' }),
    ]);
    const second = await create({ categories: [{ name: name.toUpperCase() }] });
    expect(second.json.data.categories).toEqual([first.json.data.categories[0]]);
    expect(second.json.warnings).toEqual([]);
  });

  it('uses the id of a category and ignores its name', async () => {
    const { json } = await create({ categories: [{ id: 8, name: 'x'.repeat(99) }] });
    expect(json.data.categories).toEqual([{ id: 8, name: 'Engineering' }]);
    expect(json.warnings).toEqual([]);
  });

  it('counts lengths in code points', async () => {
    expect((await create({ title: '🌹'.repeat(256), employer: '🌹'.repeat(50) })).status).toBe(201);
  });
});

describe('POST /jobs › 409', () => {
  it('for a used referenceId, with the id of its job', async () => {
    const referenceId = newReference();
    const first = await create({ referenceId });
    const second = await create({ referenceId });
    expect(second.status).toBe(409);
    expect(second.json).toMatchObject({
      code: 'reference_id_taken',
      conflict: { id: first.json.data.id, href: `${world.origin}/v1.0/jobs/${first.json.data.id}` },
    });
  });

  it('not for the referenceId of another company or of a deleted job', async () => {
    const { otherApi, otherCompanyId, api } = world;
    const referenceId = newReference();
    const first = await create({ referenceId });
    expect((await otherApi.post('/jobs', jobBody(otherCompanyId, { referenceId }))).status).toBe(201);
    await api.delete(`/jobs/${first.json.data.id}`);
    expect((await create({ referenceId })).status).toBe(201);
  });

  it('for all but one of 20 concurrent requests', async () => {
    const referenceId = newReference();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ referenceId })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });
});

describe('POST /jobs › 403', () => {
  it('for a company that the keys do not grant', async () => {
    const { status, json } = await world.api.post('/jobs', jobBody(world.otherCompanyId));
    expect(status).toBe(403);
    expect(json.code).toBe('company_forbidden');
  });

  it('comes after the violations of the body', async () => {
    expect((await world.api.post('/jobs', jobBody(world.otherCompanyId, { title: 5 }))).status).toBe(422);
  });

  it('for a consumer key without jobs:write', async () => {
    const { operator, userKey, companyId, origin } = world;
    const { secret } = await operator.consumerKey(['jobs:read']);
    const answer = await fetch(`${origin}/v1.0/jobs`, {
      method: 'POST',
      headers: { 'Consumer-API-Key': secret, 'User-API-Key': userKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(jobBody(companyId)),
    });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'scope_missing' });
  });
});
