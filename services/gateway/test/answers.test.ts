import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCategory,
  deleteCategory,
  getCategory,
  getJob,
  listCategories,
  listJobs,
  ServiceError,
  updateJob,
} from '@joblisting/contracts';
import { customCategory, job, jobHeader, systemCategory } from '../src/routes/examples.ts';
import { ask, PUBLIC_URL, startGateway, type TestGateway } from './support/gateway.ts';
import { keys } from './support/stand-ins.ts';
import { askRaw, speak } from './support/raw.ts';

let gateway: TestGateway;
const json = { ...keys, 'Content-Type': 'application/json' };

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.standIn(getJob, async () => ({ version: 3, data: job }));
  await gateway.standIn(updateJob, async () => {
    throw new ServiceError('reference_id_taken', 'Taken.', { conflict: { resource: 'job', id: 9 } });
  });
  await gateway.standIn(listJobs, async ({ params }) => ({
    data: [jobHeader],
    paging: { total: 1, pageSize: 50, page: params.page ?? 1, pages: 1 },
  }));
  await gateway.standIn(getCategory, async () => ({ version: 2, data: customCategory }));
  await gateway.standIn(listCategories, async () => ({ data: [systemCategory, customCategory] }));
  await gateway.standIn(createCategory, async () => ({ outcome: 'created', id: 1001, data: customCategory }));
  await gateway.standIn(deleteCategory, async () => {
    throw new ServiceError('category_assigned', 'Assigned.', { conflict: { resource: 'job', id: 9 } });
  });
});
afterAll(() => gateway.stop());

describe('HEAD', () => {
  it.each(['/jobs/1', '/jobs?company.id=1', '/jobcategories', '/countries'])(
    '%s: the headers of GET and no body',
    async (path) => {
      const get = await ask(gateway.base + path, { headers: keys });
      const head = await ask(gateway.base + path, { method: 'HEAD', headers: keys });
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      }
    },
  );

  it('an error has no body either', async () => {
    const head = await ask(`${gateway.base}/jobs/x`, { method: 'HEAD', headers: keys });
    expect([head.status, head.text]).toEqual([400, '']);
  });
});

describe('headers', () => {
  it.each([
    ['/jobs/1', 'private, no-cache'],
    ['/jobs?company.id=1', 'private, no-cache'],
    ['/jobs/x', 'private, no-cache'],
    ['/nothing', 'private, no-cache'],
    ['/jobcategories', 'public, no-cache'],
    ['/jobcategories/1', 'public, no-cache'],
    ['/jobtypes', 'no-store'],
    ['/provinces', 'no-store'],
  ])('Cache-Control of %s is %s', async (path, expected) => {
    const answer = await ask(gateway.base + path, { headers: keys });
    expect(answer.headers.get('cache-control')).toBe(expected);
  });

  it('are safe and do not tell what the server is made of', async () => {
    for (const path of ['/v1.0/jobs/1', '/v1.0/jobs/x', '/nothing', '/healthz']) {
      const { headers } = await ask(gateway.origin + path, { headers: keys });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('strict-transport-security')).toContain('max-age=');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it.each([
    ['Request-Id', 'abc-123', 'abc-123'],
    ['X-Request-Id', 'abc/123', 'abc/123'],
    ['Request-Id', 'x'.repeat(64), 'x'.repeat(64)],
    ['Request-Id', 'x'.repeat(65), undefined],
    ['Request-Id', 'a b', undefined],
    ['Request-Id', 'ä', undefined],
    ['Request-Id', '', undefined],
  ])('%s %j comes back or is replaced', async (name, sent, expected) => {
    const { headers } = await askRaw(`${gateway.base}/jobcategories`, 'GET', { [name]: sent });
    if (expected === undefined) expect(headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
    else expect(headers['request-id']).toBe(expected);
  });

  it.each(['something', '100-continue'])('Expect: %s changes no answer', async (expectation) => {
    const headers = { ...keys, Expect: expectation };
    const answer = await askRaw(`${gateway.base}/jobs/x`, 'GET', headers);
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, 'invalid_parameter']);
  });

  it('traceparent continues the trace of the caller', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const { headers } = await ask(`${gateway.base}/jobcategories`, { headers: { traceparent } });
    expect(headers.get('traceparent')).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/);
  });
});

describe('CORS', () => {
  it('a preflight needs no keys', async () => {
    const answer = await askRaw(`${gateway.base}/jobs/1`, 'OPTIONS', {
      Origin: 'https://app.example.com',
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'consumer-api-key,user-api-key,content-type',
    });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      'access-control-allow-headers': 'consumer-api-key,user-api-key,content-type',
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('OPTIONS that is no preflight: 204', async () => {
    expect(await askRaw(`${gateway.base}/jobs`, 'OPTIONS')).toMatchObject({ status: 204 });
  });

  it('exposes the headers of the API to pages, on errors too', async () => {
    const { headers } = await ask(`${gateway.base}/jobs`, { headers: { Origin: 'null' } });
    expect(headers.get('access-control-expose-headers')).toBe(
      'Location, ETag, Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, Dry-Run, Content-Disposition, Deprecation, Sunset, Link',
    );
  });
});

describe('errors', () => {
  it('409 names the conflicting resource', async () => {
    const job = await ask(`${gateway.base}/jobs/1`, { method: 'PUT', headers: json, body: '{}' });
    expect([job.status, job.body.conflict]).toEqual([409, { id: 9, href: `${PUBLIC_URL}/v1.0/jobs/9` }]);
    const category = await ask(`${gateway.base}/jobcategories/1`, { method: 'DELETE', headers: keys });
    expect([category.status, category.body.code]).toEqual([409, 'category_assigned']);
  });

  it('are the same bytes as problem+json where Accept asks for it', async () => {
    const headers = { ...keys, 'Request-Id': 'same' };
    const plain = await ask(`${gateway.base}/jobs/x`, { headers });
    const accept = { ...headers, Accept: 'application/problem+json' };
    const problem = await ask(`${gateway.base}/jobs/x`, { headers: accept });
    expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(problem.headers.get('content-type')).toBe('application/problem+json');
    expect(problem.text).toBe(plain.text);
    const success = await ask(`${gateway.base}/jobs/1`, { headers: accept });
    expect(success.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it.each([
    ['NONSENSE\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['GET /v1.0/jobtypes HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('of HTTP itself have the same shape: %#', async (bytes, status) => {
    const received = await speak(gateway.origin, bytes);
    const [head, body] = received.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toMatch(/^Connection: close\r?$/im);
    expect(JSON.parse(body ?? '')).toMatchObject({ data: null, status, code: 'bad_request' });
  });
});

describe('paging', () => {
  it('previous of a page past the end is the last page', async () => {
    const { body } = await ask(`${gateway.base}/jobs?company.id=1&page=7`, { headers: keys });
    expect(body.paging).toMatchObject({
      previous: `${PUBLIC_URL}/v1.0/jobs?company.id=1&page=1`,
      next: null,
    });
  });
});
