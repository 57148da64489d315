import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createJob, getJob, listJobTypes, updateJob } from '@joblisting/contracts';
import { job, newJob } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keys, metricsKey, pairOf, principal, secretOf, siteKey, userKey } from './support/stand-ins.ts';
import { askRaw } from './support/raw.ts';

let gateway: TestGateway;
const readOnly = { 'Consumer-API-Key': secretOf('consumer', 'reader'), 'User-API-Key': userKey };
const text = { 'Content-Type': 'text/plain' };
const json = { 'Content-Type': 'application/json' };

beforeAll(async () => {
  gateway = await startGateway({ BODY_LIMIT_BYTES: '1000' });
  gateway.accounts.set(pairOf(secretOf('consumer', 'reader'), userKey), {
    principal: { ...principal, scopes: ['jobs:read'] },
    keyIds: [],
    expiresAt: null,
  });
  await gateway.standIn(listJobTypes, async () => ({ data: [] }));
  await gateway.standIn(getJob, async () => ({ data: job }));
  await gateway.standIn(createJob, async () => ({ outcome: 'created', id: job.id, data: job }));
  await gateway.standIn(updateJob, async () => ({ data: job }));
});
afterAll(() => gateway.stop());

describe('order of refusals', () => {
  // Each row also breaks the rules of all rows below it.
  const long = 'x'.repeat(2000);
  it.each([
    ['401 before all', 'POST', '/jobs?page=x', text, long, 401, 'unauthenticated'],
    ['401 before an unknown path', 'GET', '/nothing', {}, undefined, 401, 'unauthenticated'],
    ['401 before a wrong method', 'PATCH', '/jobs', text, long, 401, 'unauthenticated'],
    ['404 for an unknown path', 'POST', '/nothing', { ...keys, ...text }, long, 404, 'path_not_found'],
    ['404 for a slash too many', 'GET', '/jobs//', keys, undefined, 404, 'path_not_found'],
    ['404 for no resource', 'GET', '', keys, undefined, 404, 'path_not_found'],
    ['405 before 415', 'POST', '/jobs/1', { ...keys, ...text }, long, 405, 'method_not_allowed'],
    ['403 scope before 415', 'POST', '/jobs', { ...readOnly, ...text }, long, 403, 'scope_missing'],
    ['415 before 413', 'POST', '/jobs', { ...keys, ...text }, long, 415, 'unsupported_media_type'],
    ['413 before 400', 'PUT', '/jobs/x', { ...keys, ...json }, long, 413, 'body_too_large'],
    ['400 path before the body', 'PUT', '/jobs/x', { ...keys, ...json }, '{', 400, 'invalid_parameter'],
    ['400 body by the service', 'PUT', '/jobs/1', { ...keys, ...json }, '{', 400, 'malformed_json'],
    ['422 by the service', 'PUT', '/jobs/1', { ...keys, ...json }, '{"title":1}', 422, 'validation_failed'],
  ])('%s', async (_what, method, path, headers, body, status, code) => {
    const answer = await askRaw(gateway.base + path, method, headers, body);
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([status, code]);
  });
});

describe('a trailing slash', () => {
  const { 'Consumer-API-Key': _consumer, ...userOnly } = keys;

  it.each([
    ['GET', '/v1.0/jobs/1/', keys, undefined, 200],
    ['PUT', '/v1.0/jobs/1/', { ...keys, ...json }, '{"title":"a"}', 200],
    ['POST', '/v1.0/jobs/', { ...keys, ...json }, JSON.stringify(newJob), 201],
    ['POST', '/v1.0/jobs/1/', { ...keys, ...json, 'X-HTTP-Method-Override': 'PUT' }, '{"title":"a"}', 200],
    ['GET', '/v1.0/jobtypes/?x=1', {}, undefined, 200],
    ['GET', '/v1.0/jobs/1/', userOnly, undefined, 401],
    ['GET', '/v1.0/jobs/1/?x=/', keys, undefined, 200],
    ['PATCH', '/v1.0/jobs/', keys, undefined, 405],
    ['GET', '/v1.0/', keys, undefined, 404],
    ['GET', '/v1.0/jobs//1', keys, undefined, 404],
    ['GET', '/healthz/', {}, undefined, 200],
    ['GET', '/readyz/', {}, undefined, 200],
    ['GET', '/openapi.json/', {}, undefined, 200],
    ['GET', '/docs/errors/', {}, undefined, 200],
    ['POST', '/docs/', {}, undefined, 405],
    ['GET', '/', {}, undefined, 200],
    ['GET', '//', {}, undefined, 200],
  ])('%s %s is the same path', async (method, path, headers, body, status) => {
    const answer = await askRaw(gateway.origin + path, method, headers, body);
    expect(answer.status).toBe(status);
  });

  it('405 names the methods of the path', async () => {
    const answer = await askRaw(`${gateway.base}/jobs/1/`, 'PATCH', keys);
    expect(answer.headers['allow']).toBe('GET, HEAD, PUT, DELETE, OPTIONS');
  });
});

describe('405', () => {
  it.each([
    ['/jobs', 'GET, HEAD, POST, PUT, DELETE, OPTIONS', keys],
    ['/jobs/1', 'GET, HEAD, PUT, DELETE, OPTIONS', keys],
    ['/jobs/1/applications', 'POST, OPTIONS', { 'Consumer-API-Key': siteKey }],
    ['/applications', 'GET, HEAD, DELETE, OPTIONS', keys],
    ['/applications/1', 'GET, HEAD, DELETE, OPTIONS', keys],
    ['/applications/1/files/1', 'GET, HEAD, OPTIONS', keys],
    ['/applications/1/copies', 'POST, OPTIONS', keys],
    ['/jobcategories', 'GET, HEAD, POST, OPTIONS', keys],
    ['/jobcategories/1', 'GET, HEAD, PUT, DELETE, OPTIONS', keys],
    ['/jobtypes', 'GET, HEAD, OPTIONS', {}],
    ['/countries', 'GET, HEAD, OPTIONS', {}],
    ['/provinces', 'GET, HEAD, OPTIONS', {}],
  ])('%s: Allow names its methods', async (path, allow, headers) => {
    const answer = await askRaw(gateway.base + path, 'PATCH', headers);
    expect([answer.status, answer.headers['allow']]).toEqual([405, allow]);
  });

  it.each(['PATCH', 'PROPFIND', 'TRACE', 'PURGE', 'QUERY', 'LINK', 'M-SEARCH'])('%s', async (method) => {
    expect(await askRaw(`${gateway.base}/jobs/1`, method)).toMatchObject({ status: 401 });
    expect(await askRaw(`${gateway.base}/jobs/1`, method, keys)).toMatchObject({ status: 405 });
  });

  it('of /metrics/events needs a consumer key only', async () => {
    const answer = await ask(`${gateway.base}/metrics/events`, {
      headers: { 'Consumer-API-Key': metricsKey },
    });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it.each(['/', '/healthz', '/s/abc', '/docs', '/docs/sync', '/docs/sync.md', '/llms.txt', '/openapi.json'])(
    'outside the version, %s needs no keys',
    async (path) => {
      const answer = await ask(gateway.origin + path, { method: 'POST' });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    },
  );
});

describe('paths', () => {
  it.each([
    ['/nothing', 404],
    ['/docs/nothing', 404],
    ['/v1.0x/jobs', 404],
    ['/V1.0/jobs', 404],
    ['/v1.0', 401],
    ['/v1.0/', 401],
    ['/v1.0/jobs//1', 401],
    ['/v1.0/Jobs', 401],
    ['/v1.0/../healthz', 401],
    ['/v1.0/%2e%2e/healthz', 401],
  ])('%s without keys: %d', async (path, status) => {
    expect(await askRaw(gateway.origin + path, 'GET')).toMatchObject({ status });
  });

  it.each([
    ['/jobs/%31', 200],
    ['/j%6Fbs/1', 200],
    ['/jobs/1%2F2', 400],
    ['/jobs/%zz', 400],
    ['/jobs/%ff', 400],
    ['/jobs/%00', 400],
    [`/jobs/${'1'.repeat(120)}`, 400],
    ['/nothing/%zz', 404],
  ])('%s with keys: %d', async (path, status) => {
    expect(await askRaw(gateway.base + path, 'GET', keys)).toMatchObject({ status });
  });

  it('a target in absolute form is routed', async () => {
    const { host } = new URL(gateway.origin);
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      const sent = request(gateway.origin, {
        path: `http://${host}/v1.0/jobs/1`,
        headers: keys,
        agent: false,
      });
      sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      sent.end();
    });
    expect(status).toBe(200);
  });
});

describe('parameters', () => {
  it('400 lists every invalid parameter', async () => {
    const answer = await ask(`${gateway.base}/jobs?page=0&pageSize=x&status.id=4&page=1`, { headers: keys });
    expect(answer.status).toBe(400);
    expect(
      answer.body.errors.map((each: { parameter: string; code: string }) => [each.parameter, each.code]),
    ).toEqual([
      ['page', 'out_of_range'],
      ['pageSize', 'type'],
      ['status.id', 'invalid_value'],
      ['page', 'repeated'],
      ['company.id', 'required'],
    ]);
  });

  it('unknown parameters are warnings', async () => {
    const answer = await ask(`${gateway.base}/jobs/1?fields=a`, { headers: keys });
    expect(answer.body.warnings).toEqual([
      expect.objectContaining({ code: 'unknown_field', parameter: 'fields' }),
    ]);
  });
});
