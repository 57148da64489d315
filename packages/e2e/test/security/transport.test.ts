import { describe, expect, it } from '@jest/globals';
import { jobBody, useWorld } from '../../src/index.ts';
import { requestRaw } from './raw.ts';

const world = useWorld();
const keyHeaders = () => ({ 'Consumer-API-Key': world.consumerKey, 'User-API-Key': world.userKey });

describe('paths', () => {
  const keyed = (path: string) => requestRaw(world.origin, path, keyHeaders());

  it.each([
    '/v1.0/../v1.0/jobtypes',
    '/v1.0/%2e%2e/v1.0/jobtypes',
    '/v1.0/./jobtypes',
    '//v1.0/jobtypes',
    '/v1.0//jobtypes',
    '/v1.0/jobtypes;a=b',
    '/v1.0/jobtypes%3Ba',
    '/v1.0/jobtypes%00',
    '/v1.0/jobtypes%0a',
    '/v1.0/jobtypes%20',
    '/v1.0/JobTypes',
    '/V1.0/jobtypes',
    '/v1.0%2Fjobtypes',
    '/v1.0\\jobtypes',
    '/v1.0/jobs/1/../2',
    '/v1.0/jobs/1;x',
    '/v1.0/jobs/1%2F..%2F2',
    '/v1.0/jobs/%2e',
    '/v1.0/jobs/1%00',
    '/docs/static/..%2f..%2fpackage.json',
    '/docs/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    '/docs/static/....//package.json',
    '/metrics',
    '/admin',
    '/.env',
    '/.git/config',
    '/v0/jobs',
    '/v1/jobs',
    '/v2.0/jobs',
    '/v1.0/companies',
    '/v1.0/keys',
    '/debug/pprof',
    '/documentation/json',
    '*',
    '%2f',
  ])('%s is not found', async (path) => {
    const { status, text } = await keyed(path);
    expect([400, 404]).toContain(status);
    expect(JSON.parse(text)).toMatchObject({ data: null, status });
    expect(text).not.toContain('Full-time');
  });

  it.each([
    '/v1.0/jobs/1%2F2',
    '/v1.0/jobs%2F1',
    '/v1.0//jobs/1',
    '/v1.0/jobs/1;x',
    '/v1.0/%6Aobs/1',
    '/v1.0/x/../jobs/1',
    '/v1.0/%2e%2e/v1.0/jobs/1',
    '/v1.0/jobs/1?x=/docs',
    '/v1.0/docs/../jobs/1',
  ])('%s is 401 without keys', async (path) => {
    expect((await requestRaw(world.origin, path)).status).toBe(401);
  });

  it('a key in the query is ignored', async () => {
    const keys = new URLSearchParams(keyHeaders());
    const { status, text } = await requestRaw(
      world.origin,
      `/v1.0/jobs?company.id=${world.companyId}&${keys}`,
    );
    expect(status).toBe(401);
    expect(text).not.toContain(world.consumerKey);
  });

  it('an absolute target and a forged host change no address', async () => {
    const { json } = await world.api.post('/jobs', jobBody(world.companyId));
    const forged = {
      ...keyHeaders(),
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example',
    };
    for (const path of [
      '/v1.0/jobs?company.id=%&pageSize=1',
      'http://evil.example/v1.0/jobs?company.id=%&pageSize=1',
    ]) {
      const { status, text } = await requestRaw(
        world.origin,
        path.replace('%', `${world.companyId}`),
        forged,
      );
      expect(status).toBe(200);
      expect(text).not.toContain('evil.example');
    }
    const made = await requestRaw(
      world.origin,
      '/v1.0/jobs',
      { ...forged, 'Content-Type': 'application/json' },
      {
        method: 'POST',
        body: JSON.stringify(jobBody(world.companyId)),
      },
    );
    expect(made.headers['location']).toMatch(new RegExp(`^${world.origin}/v1.0/jobs/\\d+$`));
    expect(json.data.url.startsWith(world.origin)).toBe(true);
  });
});

describe('method override', () => {
  it.each([
    ['X-HTTP-Method', 'DELETE'],
    ['X-Method-Override', 'DELETE'],
    ['X-Original-URL', '/v1.0/jobs/%'],
    ['X-Rewrite-URL', '/v1.0/jobs/%'],
    ['_method', 'DELETE'],
  ])('%s is no override', async (name, value) => {
    const { json } = await world.api.post('/jobs', jobBody(world.companyId));
    const path = `/v1.0/jobs/${json.data.id}`;
    const headers = { ...keyHeaders(), [name]: value.replace('%', `${json.data.id}`) };
    expect((await requestRaw(world.origin, path, headers, { method: 'POST' })).status).toBe(405);
    expect((await requestRaw(world.origin, `${path}?_method=DELETE`, headers)).status).toBe(200);
    expect((await world.api.get(`/jobs/${json.data.id}`)).status).toBe(200);
  });

  it.each([['DELETE', 'DELETE'], ['PUT, DELETE'], ['DELETE\tPUT'], ['DELETE;'], ['']])(
    '%j is refused',
    async (...values) => {
      const { json } = await world.api.post('/jobs', jobBody(world.companyId));
      const headers = { ...keyHeaders(), 'X-HTTP-Method-Override': values };
      const path = `/v1.0/jobs/${json.data.id}`;
      expect((await requestRaw(world.origin, path, headers, { method: 'POST' })).status).toBe(400);
      expect((await world.api.get(`/jobs/${json.data.id}`)).status).toBe(200);
    },
  );
});

describe('caches', () => {
  it.each([
    ['/v1.0/jobs/2147483647', 404],
    ['/v1.0/jobs/x', 400],
    ['/v1.0/jobs?company.id=2147483647', 403],
    ['/v1.0/jobs?company.id=%', 200],
    ['/v1.0/nothing', 404],
    ['/v1.0/jobs?company.id=%&x=/static/a.css', 200],
  ])('do not store %s (%d), which needs keys', async (path, status) => {
    const filled = path.replace('%', `${world.companyId}`);
    for (const [headers, expected] of [
      [keyHeaders(), status],
      [{}, 401],
    ] as const) {
      const answer = await requestRaw(world.origin, filled, headers);
      expect(answer.status).toBe(expected);
      expect(['private, no-cache', 'no-store']).toContain(answer.headers['cache-control']);
    }
  });

  it('get no private answer under a public path', async () => {
    const { status, headers } = await requestRaw(world.origin, '/v1.0/jobtypes', keyHeaders());
    expect([status, headers['cache-control']]).toEqual([200, 'public, no-cache']);
    for (const path of ['/v1.0/jobs/1/jobtypes', '/v1.0/jobs/1.css', '/v1.0/jobs/1%23.css']) {
      expect((await requestRaw(world.origin, path, keyHeaders())).headers['cache-control']).not.toContain(
        'public',
      );
    }
  });
});

describe('browsers', () => {
  it('of any origin may read without credentials', async () => {
    for (const origin of ['https://evil.example', 'null', world.origin]) {
      const { headers } = await requestRaw(world.origin, '/v1.0/jobtypes', { Origin: origin });
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  it('cannot write with a form', async () => {
    const form = 'title=x&company.id=1';
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
    ]) {
      const headers = { ...keyHeaders(), 'Content-Type': type };
      const { status } = await requestRaw(world.origin, '/v1.0/jobs', headers, {
        method: 'POST',
        body: form,
      });
      expect([type, status]).toEqual([type, 415]);
    }
  });

  it.each(['/v1.0/jobtypes', '/v1.0/jobs/1', '/s/none', '/docs', '/docs/errors', '/openapi.json', '/none'])(
    'get safe headers with %s',
    async (path) => {
      const { headers } = await requestRaw(world.origin, path);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src[^;]*(unsafe|https?:|\*)/);
      expect(headers['x-powered-by'] ?? headers['server']).toBeUndefined();
    },
  );

  it('get HTML in JSON as text', async () => {
    const markup = '<script>alert(1)</script>';
    const { json } = await world.api.post('/jobs', jobBody(world.companyId, { title: markup }));
    const { headers } = await world.api.get(`/jobs/${json.data.id}`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
