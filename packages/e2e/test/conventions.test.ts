import { describe, expect, it } from '@jest/globals';
import { jobBody, useWorld } from '../src/index.ts';

const world = useWorld();
const postJob = (options: object) => world.api.send('/jobs', { method: 'POST', ...options });

describe('request bodies', () => {
  it.each(['application/json', 'application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"'])(
    'are accepted as %s',
    async (contentType) => {
      const { status } = await postJob({ body: jobBody(world.companyId), contentType });
      expect(status).toBe(201);
    },
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=latin1',
    null,
  ])('415 for %s', async (contentType) => {
    const { status, json } = await postJob({ raw: new TextEncoder().encode('{}'), contentType });
    expect([status, json.code]).toEqual([415, 'unsupported_media_type']);
  });

  const malformed: [string, string | Uint8Array<ArrayBuffer>][] = [
    ['broken JSON', '{"title":'],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['nothing', ''],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['33 levels', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
    ['200,000 levels', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ];
  it.each(malformed)('400 for %s', async (_name, raw) => {
    const { status, json } = await postJob({ raw, contentType: 'application/json' });
    expect([status, json.code]).toEqual([400, 'malformed_json']);
  });

  it('413 over 4 MiB', async () => {
    const { status, json } = await postJob({
      raw: JSON.stringify({ description: 'x'.repeat(4 * 1024 * 1024) }),
    });
    expect([status, json.code]).toEqual([413, 'body_too_large']);
  });

  it('are accepted up to 4 MiB', async () => {
    const { status, json } = await postJob({
      body: jobBody(world.companyId, { description: 'x'.repeat(4 * 1024 * 1024 - 1000) }),
    });
    expect(status).toBe(201);
    expect(json.data.description).toHaveLength(4 * 1024 * 1024 - 1000);
  });
});

describe('method override', () => {
  it('turns a POST into a PUT, case-insensitively', async () => {
    const { json } = await world.api.post('/jobs', jobBody(world.companyId));
    const answer = await world.api.post(
      `/jobs/${json.data.id}`,
      { title: 'Overridden' },
      { headers: { 'X-HTTP-Method-Override': 'Put' } },
    );
    expect([answer.status, answer.json.data.title]).toEqual([200, 'Overridden']);
  });

  it('400 for another value', async () => {
    const answer = await world.api.post('/jobs', jobBody(world.companyId), {
      headers: { 'X-HTTP-Method-Override': 'PATCH' },
    });
    expect([answer.status, answer.json.code]).toEqual([400, 'method_override']);
  });

  it('is ignored on another method', async () => {
    const { json } = await world.api.post('/jobs', jobBody(world.companyId));
    const answer = await world.api.get(`/jobs/${json.data.id}`, { 'X-HTTP-Method-Override': 'DELETE' });
    expect(answer.status).toBe(200);
  });

  it('does not bypass the keys', async () => {
    const answer = await world.anonymous.send('/jobs/1', {
      method: 'POST',
      headers: { 'X-HTTP-Method-Override': 'DELETE' },
    });
    expect(answer.status).toBe(401);
  });
});

describe('paths and methods', () => {
  it('404 for an unknown path, with keys; 401 without', async () => {
    expect((await world.api.get('/nosuch')).json.code).toBe('path_not_found');
    expect((await world.anonymous.get('/nosuch')).status).toBe(401);
  });

  it('405 with Allow for a wrong method', async () => {
    const answer = await world.api.send('/jobs/1', { method: 'PATCH' });
    expect([answer.status, answer.json.code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(
      expect.arrayContaining(['DELETE', 'GET', 'HEAD', 'PUT']),
    );
  });

  it('answers a CORS preflight', async () => {
    const answer = await world.anonymous.send('/jobs', {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://ats.example.com',
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'consumer-api-key,user-api-key,content-type',
      },
    });
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toContain('PUT');
  });
});

describe('answers', () => {
  it('carry a request id, nosniff, and no name of the server', async () => {
    const { headers } = await world.api.get(`/jobs?company.id=${world.companyId}`);
    expect(headers.get('request-id')).toBeTruthy();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });

  it('are problem+json if Accept requests it', async () => {
    const plain = await world.api.get('/jobs/2147483647');
    const problem = await world.api.get('/jobs/2147483647', { Accept: 'application/problem+json' });
    expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(problem.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(problem.json).toEqual({ ...plain.json, requestId: expect.any(String) });
    expect(problem.json).toMatchObject({
      type: expect.stringMatching(/^https?:.+#job_not_found$/),
      instance: '/v1.0/jobs/2147483647',
    });
  });
});
