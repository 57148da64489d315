import { describe, expect, it } from '@jest/globals';
import { dateIn, jobBody, useWorld } from '../../src/index.ts';

const world = useWorld();
const name = () => `Category ${crypto.randomUUID()}`;
const idsOf = (json: { data: { id: number }[] }) => json.data.map(({ id }) => id);

describe('GET /jobcategories/{id}', () => {
  it('needs no keys, for a system and a custom category', async () => {
    const { anonymous, api, companyId } = world;
    const system = await anonymous.get('/jobcategories/8');
    expect(system.status).toBe(200);
    expect(system.json).toEqual({ data: { id: 8, name: 'Engineering', company: null }, warnings: [] });
    const custom = await api.post('/jobcategories', { name: name(), company: { id: companyId } });
    expect((await anonymous.get(`/jobcategories/${custom.json.data.id}`)).json.data.company).toEqual({
      id: companyId,
    });
  });

  it('404 for an unknown id, 400 for a value that is no Int32', async () => {
    expect((await world.anonymous.get('/jobcategories/2147483647')).status).toBe(404);
    expect((await world.anonymous.get('/jobcategories/x')).status).toBe(400);
  });
});

describe('GET /jobcategories', () => {
  it('lists the 23 system categories by id', async () => {
    const { status, json } = await world.anonymous.get('/jobcategories');
    expect(status).toBe(200);
    expect(json.warnings).toEqual([]);
    expect(idsOf(json).slice(0, 23)).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
    expect(json.data.every(({ company }: { company: unknown }) => company === null)).toBe(true);
  });

  it('adds the custom categories of the given company only', async () => {
    const { api, anonymous, companyId, otherCompanyId } = world;
    const { json } = await api.post('/jobcategories', { name: name(), company: { id: companyId } });
    expect(idsOf((await anonymous.get(`/jobcategories?company.id=${companyId}`)).json)).toContain(
      json.data.id,
    );
    expect(idsOf((await anonymous.get(`/jobcategories?company.id=${otherCompanyId}`)).json)).not.toContain(
      json.data.id,
    );
    expect(idsOf((await anonymous.get('/jobcategories?company.id=2147483647')).json)).not.toContain(
      json.data.id,
    );
  });

  it('lists with active only categories of published jobs, right after each write', async () => {
    const { api, otherApi, otherCompanyId } = world;
    const active = async () =>
      idsOf((await api.get(`/jobcategories?company.id=${otherCompanyId}&active`)).json);
    expect(await active()).toEqual([]);
    const job = await otherApi.post(
      '/jobs',
      jobBody(otherCompanyId, { categories: [{ id: 5 }, { name: name() }] }),
    );
    const assigned = job.json.data.categories.map(({ id }: { id: number }) => id);
    await otherApi.post(
      '/jobs',
      jobBody(otherCompanyId, { publishDate: dateIn(9), closeDate: null, categories: [{ id: 6 }] }),
    );
    expect(await active()).toEqual(assigned.toSorted((a: number, b: number) => a - b));
    await otherApi.put(`/jobs/${job.json.data.id}`, { status: { id: 2 } });
    expect(await active()).toEqual([]);
  });

  it('carries an ETag and answers 304', async () => {
    const first = await world.anonymous.get('/jobcategories');
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    const again = await world.anonymous.get('/jobcategories', {
      'If-None-Match': first.headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
  });

  it('400 for a wrong company.id', async () => {
    expect((await world.anonymous.get('/jobcategories?company.id=x')).json.errors[0].parameter).toBe(
      'company.id',
    );
  });
});
