import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobTypes, listJobTypes, resolveLink, ServiceError } from '@joblisting/contracts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.standIn(listJobTypes, async () => ({ data: [...jobTypes] }));
  await gateway.standIn(resolveLink, async ({ params }) => {
    if (params.code !== '4gHx') throw new ServiceError('link_not_found');
    return { data: { location: 'https://search.example.com/Share/Job4711' } };
  });
});
afterAll(() => gateway.stop());

describe('reference data', () => {
  it('GET /jobtypes lists the job types without keys', async () => {
    const answer = await ask(`${gateway.base}/jobtypes`);
    expect([answer.status, answer.body]).toEqual([200, { data: jobTypes, warnings: [] }]);
    expect(answer.headers.get('cache-control')).toBe('public, no-cache');
  });

  it('GET /countries lists the 249 countries', async () => {
    const { status, body } = await ask(`${gateway.base}/countries`);
    expect([status, body.data.length, body.warnings]).toEqual([200, 249, []]);
    expect(body.data).toContainEqual({ id: 124, name: 'Canada' });
  });

  it('GET /provinces lists those of one country, each with the country', async () => {
    const { status, body } = await ask(`${gateway.base}/provinces?country.id=124`);
    expect([status, body.data.length]).toEqual([200, 13]);
    expect(body.data).toContainEqual({
      id: 124 * 46_656 + 24 * 36 + 23,
      name: 'Ontario',
      country: { id: 124, name: 'Canada' },
    });
  });

  it.each([
    ['/provinces', 400],
    ['/provinces?country.id=x', 400],
    ['/provinces?country.id=124&country.id=124', 400],
    ['/provinces?country.id=1', 200],
    ['/provinces?country.id=-5', 200],
  ])('%s answers %d', async (path, status) => {
    const answer = await ask(gateway.base + path);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toEqual({ data: [], warnings: [] });
    else expect(answer.body.errors).toMatchObject([{ parameter: 'country.id' }]);
  });

  it('warns of an unknown parameter', async () => {
    const { body } = await ask(`${gateway.base}/countries?name=Canada`);
    expect(body.warnings).toMatchObject([{ code: 'unknown_field', parameter: 'name' }]);
  });
});

describe('GET /s/{code}', () => {
  it('302 to the job, kept for 90 seconds', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(`${gateway.origin}/s/4gHx`, { method });
      expect(status).toBe(302);
      expect(headers.get('location')).toBe('https://search.example.com/Share/Job4711');
      expect(headers.get('cache-control')).toBe('private, max-age=90');
    }
  });

  it.each([
    ['/s/unknown', 404, 'link_not_found'],
    [`/s/${'x'.repeat(65)}`, 404, 'link_not_found'],
    ['/s/%E2%82%AC', 404, 'link_not_found'],
    ['/s/%00', 404, 'link_not_found'],
    ['/s/%zz', 400, 'bad_request'],
    ['/s/', 404, 'path_not_found'],
    ['/s/a/b', 404, 'path_not_found'],
  ])('%s answers %d', async (path, status, code) => {
    const answer = await ask(gateway.origin + path);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});
