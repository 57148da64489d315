import { describe, expect, it } from '@jest/globals';
import { jobBody, useWorld } from '../../src/index.ts';

const world = useWorld();
const newName = () => `Category ${crypto.randomUUID()}`;
const post = (name: unknown, companyId = world.companyId) =>
  world.api.post('/jobcategories', { name, company: { id: companyId } });

describe('POST /jobcategories', () => {
  it('201 with Location', async () => {
    const name = newName();
    const { status, headers, json } = await post(name);
    expect(status).toBe(201);
    expect(json).toEqual({
      data: { id: expect.any(Number), name, company: { id: world.companyId } },
      warnings: [],
    });
    expect(headers.get('location')).toBe(`${world.origin}/v1.0/jobcategories/${json.data.id}`);
  });

  it('stores the name in NFC with white space folded', async () => {
    const unique = crypto.randomUUID().slice(0, 8);
    const { json } = await post(`  Cafe\u0301   ${unique} `);
    expect(json.data.name).toBe(`Café ${unique}`);
  });

  it('409 for a used name in any case, with the id of its category', async () => {
    const name = newName();
    const first = await post(name);
    const second = await post(name.toUpperCase());
    expect(second.status).toBe(409);
    expect(second.json).toMatchObject({
      code: 'category_name_taken',
      conflict: { id: first.json.data.id, href: `${world.origin}/v1.0/jobcategories/${first.json.data.id}` },
    });
    expect((await post('ENGINEERING')).json.conflict.id).toBe(8);
  });

  it('201 for a name of another company', async () => {
    const name = newName();
    await post(name);
    const other = await world.otherApi.post('/jobcategories', {
      name,
      company: { id: world.otherCompanyId },
    });
    expect(other.status).toBe(201);
  });

  it.each([
    ['no name', undefined, '#/name'],
    ['a long name', 'x'.repeat(51), '#/name'],
    ['a name that is long once composed', '\u0958'.repeat(40), '#/name'],
    ['a blank name', '   ', '#/name'],
    ['a number', 5, '#/name'],
  ])('422 for %s', async (_name, value, pointer) => {
    const { status, json } = await post(value);
    expect(status).toBe(422);
    expect(json.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
  });

  it('403 for another company, 401 without keys', async () => {
    expect((await post(newName(), world.otherCompanyId)).status).toBe(403);
    expect((await world.anonymous.post('/jobcategories', { name: 'x', company: { id: 1 } })).status).toBe(
      401,
    );
  });

  it('creates one category for 20 concurrent jobs with one new name', async () => {
    const name = newName();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        world.api.post('/jobs', jobBody(world.companyId, { categories: [{ name }] })),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ json }) => json.data.categories[0].id)).size).toBe(1);
  });
});

describe('PUT /jobcategories/{id}', () => {
  it('200, and every job has the new name at once', async () => {
    const job = await world.api.post(
      '/jobs',
      jobBody(world.companyId, { categories: [{ name: newName() }, { id: 1 }] }),
    );
    const category = job.json.data.categories[0];
    const name = newName();
    const renamed = await world.api.put(`/jobcategories/${category.id}`, { name });
    expect(renamed.status).toBe(200);
    expect(renamed.json.data).toEqual({ id: category.id, name, company: { id: world.companyId } });
    const { json } = await world.api.get(`/jobs/${job.json.data.id}`);
    expect(json.data.categories).toEqual([
      { id: category.id, name },
      { id: 1, name: 'Accounting and Finance' },
    ]);
  });

  it('changes nothing without a name', async () => {
    const { json } = await post(newName());
    expect((await world.api.put(`/jobcategories/${json.data.id}`, {})).json).toEqual({
      data: json.data,
      warnings: [],
    });
  });

  it('403 for a system category, 404 for an unknown or foreign one, 409 for a used name', async () => {
    expect((await world.api.put('/jobcategories/8', { name: newName() })).json).toMatchObject({
      status: 403,
      code: 'system_category',
    });
    expect((await world.api.put('/jobcategories/2147483647', { name: newName() })).status).toBe(404);
    const { json } = await post(newName());
    expect((await world.otherApi.put(`/jobcategories/${json.data.id}`, { name: newName() })).status).toBe(
      404,
    );
    expect((await world.api.put(`/jobcategories/${json.data.id}`, { name: 'Legal' })).status).toBe(409);
  });
});

describe('DELETE /jobcategories/{id}', () => {
  it('204, then 404', async () => {
    const { json } = await post(newName());
    const path = `/jobcategories/${json.data.id}`;
    expect((await world.api.delete(path)).status).toBe(204);
    expect((await world.anonymous.get(path)).status).toBe(404);
    expect((await world.api.delete(path)).status).toBe(404);
  });

  it('409 with the id of the job while a job has it; 204 afterwards', async () => {
    const job = await world.api.post(
      '/jobs',
      jobBody(world.companyId, { categories: [{ name: newName() }] }),
    );
    const path = `/jobcategories/${job.json.data.categories[0].id}`;
    const refused = await world.api.delete(path);
    expect(refused.status).toBe(409);
    expect(refused.json).toMatchObject({
      code: 'category_assigned',
      conflict: { id: job.json.data.id, href: `${world.origin}/v1.0/jobs/${job.json.data.id}` },
    });
    await world.api.put(`/jobs/${job.json.data.id}`, { categories: [] });
    expect((await world.api.delete(path)).status).toBe(204);
  });

  it('204 right after its last job is deleted', async () => {
    const job = await world.api.post(
      '/jobs',
      jobBody(world.companyId, { categories: [{ name: newName() }] }),
    );
    await world.api.delete(`/jobs/${job.json.data.id}`);
    expect((await world.api.delete(`/jobcategories/${job.json.data.categories[0].id}`)).status).toBe(204);
  });

  it('403 for a system category, 404 for a foreign one', async () => {
    expect((await world.api.delete('/jobcategories/8')).status).toBe(403);
    const { json } = await post(newName());
    expect((await world.otherApi.delete(`/jobcategories/${json.data.id}`)).status).toBe(404);
  });

  it('never leaves a job with a deleted category', async () => {
    for (let round = 0; round < 10; round++) {
      const { json } = await post(newName());
      const { id } = json.data;
      const [job, deletion] = await Promise.all([
        world.api.post('/jobs', jobBody(world.companyId, { categories: [{ id }] })),
        world.api.delete(`/jobcategories/${id}`),
      ]);
      const outcome = `${job.status}/${deletion.status}`;
      expect(['201/409', '422/204']).toContain(outcome);
    }
  });
});
