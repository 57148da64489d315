import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createJob, deleteJob, getJob, recordEvents, updateJob } from '@joblisting/contracts';
import { testClock } from '@joblisting/testing';
import { job, metricsReceipt } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keys, metricsPrincipal, pairOf, principal, secretOf, userKey } from './support/stand-ins.ts';
import { askRaw } from './support/raw.ts';

const clock = testClock('2026-11-20T10:00:18.500Z');
let gateway: TestGateway;
let consumers = 1000;
const json = { 'Content-Type': 'application/json' };

/** Keys of a consumer of its own. */
function newKeys(limits: { readsPerMinute?: number; writesPerMinute?: number } = {}) {
  const consumerId = ++consumers;
  const key = secretOf('consumer', consumerId);
  const rest = { keyIds: [], expiresAt: null, ...limits };
  gateway.accounts.set(pairOf(key, userKey), { principal: { ...principal, consumerId }, ...rest });
  gateway.accounts.set(pairOf(key, null), { principal: { ...metricsPrincipal, consumerId }, ...rest });
  return { ...keys, 'Consumer-API-Key': key };
}

const limitOf = (answer: { headers: NodeJS.Dict<string | string[]> }) => [
  answer.headers['ratelimit-policy'],
  answer.headers['ratelimit'],
];
const read = (headers: Record<string, string>, path = '/jobs/1', method = 'GET') =>
  askRaw(gateway.base + path, method, headers);

beforeAll(async () => {
  const env = { RATE_LIMIT_READS_PER_MINUTE: '50', RATE_LIMIT_WRITES_PER_MINUTE: '20' };
  gateway = await startGateway(env, { clock });
  await gateway.standIn(getJob, async () => ({ version: 1, data: job }));
  await gateway.standIn(createJob, async () => ({ outcome: 'created', id: job.id, data: job }));
  await gateway.standIn(updateJob, async () => ({ data: job }));
  await gateway.standIn(deleteJob, async () => ({ outcome: 'deleted' }));
  await gateway.standIn(recordEvents, async () => ({ data: metricsReceipt }));
});
afterAll(() => gateway.stop());
afterEach(() => clock.set('2026-11-20T10:00:18.500Z'));

describe('the limit', () => {
  it('is shown on an answer, and goes down', async () => {
    const own = newKeys();
    expect(limitOf(await read(own))).toEqual(['"reads";q=50;w=60', '"reads";r=49;t=42']);
    expect(limitOf(await read(own))).toEqual(['"reads";q=50;w=60', '"reads";r=48;t=42']);
  });

  it.each([
    ['HEAD', '/jobs/1', {}, 200, '"reads";r=49;t=42'],
    ['POST', '/jobs', json, 400, '"writes";r=19;t=42'],
    ['PUT', '/jobs/1', json, 400, '"writes";r=19;t=42'],
    ['DELETE', '/jobs/1', {}, 204, '"writes";r=19;t=42'],
    ['POST', '/jobs/1', { 'X-HTTP-Method-Override': 'DELETE' }, 204, '"writes";r=19;t=42'],
    ['GET', '/jobs/1', { 'X-HTTP-Method-Override': 'DELETE' }, 200, '"reads";r=49;t=42'],
    ['POST', '/metrics/events', json, 400, '"writes";r=19;t=42'],
    ['GET', '/jobs/x', {}, 400, '"reads";r=49;t=42'],
    ['POST', '/jobs', { 'Content-Type': 'text/plain' }, 415, '"writes";r=19;t=42'],
    ['GET', '/jobs?company.id=1', {}, 503, '"reads";r=49;t=42'],
    ['GET', '/nothing', {}, 404, '"reads";r=49;t=42'],
    ['PATCH', '/jobs', {}, 405, '"writes";r=19;t=42'],
    ['GET', '/metrics/events', {}, 405, '"reads";r=49;t=42'],
  ])('%s %s %j: %d is counted', async (method, path, headers, status, limit) => {
    const scopes = [...principal.scopes, 'metrics:write' as const];
    const own = newKeys();
    for (const user of [userKey, null]) {
      const pair = pairOf(own['Consumer-API-Key'], user);
      const known = gateway.accounts.get(pair)!;
      gateway.accounts.set(pair, { ...known, principal: { ...known.principal, scopes } });
    }
    const body = method === 'POST' && status === 415 ? 'text' : undefined;
    const answer = await askRaw(gateway.base + path, method, { ...own, ...headers }, body);
    expect([answer.status, answer.headers['ratelimit']]).toEqual([status, limit]);
  });

  it('is shown with 403 as well', async () => {
    const own = newKeys();
    const pair = pairOf(own['Consumer-API-Key'], userKey);
    const known = gateway.accounts.get(pair)!;
    gateway.accounts.set(pair, { ...known, principal: { ...known.principal, scopes: [] } });
    const answer = await read(own);
    expect([answer.status, answer.headers['ratelimit']]).toEqual([403, '"reads";r=49;t=42']);
  });

  it.each([
    ['without keys', '/jobs/1', {}, 401],
    ['with invalid keys', '/nothing', { ...keys, 'User-API-Key': secretOf('user', 'unknown') }, 401],
    ['of a public list', '/countries', keys, 200],
    ['outside of the API', '/nothing', {}, 401],
  ])('is not shown on an answer %s', async (_what, path, headers, status) => {
    const answer = await read(headers, path);
    expect([answer.status, ...limitOf(answer)]).toEqual([status, undefined, undefined]);
  });

  it('304 is free', async () => {
    const own = newKeys({ readsPerMinute: 2 });
    const { headers } = await read(own);
    const again = { ...own, 'If-None-Match': String(headers['etag']) };
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
      const answer = await read(again, '/jobs/1', method);
      expect([answer.status, ...limitOf(answer)]).toEqual([304, '"reads";q=2;w=60', '"reads";r=1;t=42']);
    }
    expect((await read(own)).headers['ratelimit']).toBe('"reads";r=0;t=42');
    expect((await read(again)).status).toBe(429);
  });

  it('ends in 429 with Retry-After; that is not counted, and the next minute is a new one', async () => {
    const own = newKeys({ writesPerMinute: 3 });
    const remove = () => read(own, '/jobs/1', 'DELETE');
    for (const left of [2, 1, 0]) {
      const answer = await remove();
      expect([answer.status, answer.headers['ratelimit']]).toEqual([204, `"writes";r=${left};t=42`]);
    }
    for (let attempt = 0; attempt < 3; attempt++) {
      const { status, headers, text } = await remove();
      expect([status, JSON.parse(text).code, headers['retry-after'], headers['ratelimit']]).toEqual([
        429,
        'rate_limited',
        '42',
        '"writes";r=0;t=42',
      ]);
    }
    expect((await read(own)).status).toBe(200);
    clock.set('2026-11-20T10:01:00Z');
    const answer = await remove();
    expect([answer.status, ...limitOf(answer)]).toEqual([204, '"writes";q=3;w=60', '"writes";r=2;t=60']);
  });

  it('429 comes after 401 and before every other refusal', async () => {
    const own = newKeys({ readsPerMinute: 1, writesPerMinute: 1 });
    await read(own);
    await read(own, '/jobs/1', 'DELETE');
    const text = { ...own, 'Content-Type': 'text/plain' };
    for (const [method, path, headers] of [
      ['GET', '/nothing', own],
      ['PATCH', '/jobs', own],
      ['POST', '/jobs?page=x', text],
      ['GET', '/jobs/x', own],
    ] as const) {
      expect((await askRaw(gateway.base + path, method, headers, 'x')).status).toBe(429);
    }
    const unknown = { ...own, 'User-API-Key': secretOf('user', 'unknown') };
    expect((await read(unknown)).status).toBe(401);
  });

  it('lets exactly the quota through where all come at once', async () => {
    const own = newKeys({ readsPerMinute: 10 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => read(own)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it('can be read by a page of another origin', async () => {
    const answer = await ask(`${gateway.base}/jobs/1`, {
      headers: { ...newKeys(), Origin: 'https://x.example' },
    });
    const exposed = answer.headers.get('access-control-expose-headers')!.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After']));
  });
});
