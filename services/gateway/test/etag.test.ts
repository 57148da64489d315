import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCategory,
  createJob,
  getCategory,
  getJob,
  listCategories,
  listJobs,
  putJob,
  updateCategory,
} from '@joblisting/contracts';
import {
  customCategory,
  job,
  jobHeader,
  jobReference,
  newJob,
  systemCategory,
} from '../src/routes/examples.ts';
import { ask, PUBLIC_URL, startGateway, type TestGateway } from './support/gateway.ts';
import { askRaw } from './support/raw.ts';
import { keys } from './support/stand-ins.ts';

let gateway: TestGateway;
let views = 0;
const json = { ...keys, 'Content-Type': 'application/json' };

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.standIn(getJob, async () => ({ version: 3, data: { ...job, viewCount: views } }));
  await gateway.standIn(createJob, async () => ({ outcome: 'created', id: job.id, version: 1, data: job }));
  await gateway.standIn(putJob, async () => ({ version: 2, data: job }));
  await gateway.standIn(listJobs, async () => ({
    data: [jobHeader],
    paging: { total: 1, pageSize: 50, page: 1, pages: 1 },
  }));
  await gateway.standIn(getCategory, async () => ({ version: 2, data: customCategory }));
  await gateway.standIn(listCategories, async () => ({ data: [systemCategory, customCategory] }));
  await gateway.standIn(createCategory, async () => ({
    outcome: 'created',
    id: 1001,
    data: customCategory,
  }));
  await gateway.standIn(updateCategory, async () => ({ version: 2, data: customCategory }));
});
afterAll(() => gateway.stop());

describe('ETag', () => {
  const url = (path: string) => gateway.base + path;

  it.each(['/jobs/1', '/jobcategories/1', '/jobcategories', '/countries', '/provinces?country.id=840'])(
    'GET %s with a matching If-None-Match: 304 with the headers of the 200',
    async (path) => {
      const first = await ask(url(path), { headers: keys });
      const etag = first.headers.get('etag')!;
      for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const again = await ask(url(path), { headers: { ...keys, 'If-None-Match': tags } });
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
        expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
        expect(again.headers.get('content-type')).toBeNull();
      }
      const other = await ask(url(path), { headers: { ...keys, 'If-None-Match': '"x"' } });
      expect(other.status).toBe(200);
    },
  );

  it('changes with a count of views; its version stays', async () => {
    const first = (await ask(url('/jobs/1'), { headers: keys })).headers.get('etag')!;
    views++;
    const second = (await ask(url('/jobs/1'), { headers: keys })).headers.get('etag')!;
    expect(second).not.toBe(first);
    expect(second.split('-')[0]).toBe(first.split('-')[0]);
  });

  it('is on the answer to a write, and not on a list that needs keys', async () => {
    const body = JSON.stringify({ name: customCategory.name, company: customCategory.company });
    const created = await ask(url('/jobcategories'), { method: 'POST', headers: json, body });
    expect(created.headers.get('etag')).toMatch(/^"0-/);
    expect(created.headers.get('location')).toBe(`${PUBLIC_URL}/v1.0/jobcategories/1001`);
    expect((await ask(url('/jobs?company.id=1'), { headers: keys })).headers.get('etag')).toBeNull();
  });

  it.each([
    ['POST', '/jobs', newJob, 201],
    ['PUT', '/jobs', { ...newJob, ...jobReference }, 200],
    ['POST', '/jobcategories', { name: customCategory.name, company: customCategory.company }, 201],
    ['PUT', '/jobcategories/1001', { name: customCategory.name }, 200],
  ])('%s %s never answers 304, whatever If-None-Match says', async (method, path, sent, status) => {
    const write = (tags: object = {}) =>
      ask(url(path), { method, headers: { ...json, ...tags }, body: JSON.stringify(sent) });
    const etag = (await write()).headers.get('etag')!;
    expect(etag).toMatch(/^"\d+-/);
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await write({ 'If-None-Match': tags });
      expect([answer.status, answer.body.data]).toEqual([
        status,
        expect.objectContaining({ id: expect.anything() }),
      ]);
    }
  });

  it.each(['3-abc', '"3-abc', ''])('refuses If-Match %j', async (tags) => {
    const headers = { ...json, 'If-Match': tags };
    const answer = await askRaw(url('/jobs/1'), 'PUT', headers, '{}');
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, 'invalid_header']);
  });
});
