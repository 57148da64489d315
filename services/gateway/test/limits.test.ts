import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createJob, getCategory, getJob, updateJob } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { request } from 'node:http';
import { customCategory, job } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keys, keysOfConsumer } from './support/stand-ins.ts';

let gateway: TestGateway;
const releases: (() => void)[] = [];
/** Several, because one consumer alone would not get all places. */
let consumers: Record<string, string>[];
let held = 0;
let deadline = 0;

beforeAll(async () => {
  gateway = await startGateway({
    REQUEST_TIMEOUT_MS: '700',
    RECEIVE_TIMEOUT_MS: '1500',
    MAX_IN_FLIGHT: '4',
  });
  consumers = [11, 12, 13].map((id) => keysOfConsumer(gateway.accounts, id));
  await gateway.standIn(getJob, async ({ context, params }) => {
    deadline = context.deadline;
    if (params.id === 1) return { data: job };
    held++;
    await new Promise<void>((resolve) => {
      releases.push(resolve);
    });
    return { data: job };
  });
  await gateway.standIn(createJob, async ({ context }) => {
    deadline = context.deadline;
    return { outcome: 'created', id: job.id, data: job };
  });
  await gateway.standIn(getCategory, async ({ params }) => {
    if (params.id === 1) return { data: customCategory };
    held++;
    await new Promise<void>((resolve) => {
      releases.push(resolve);
    });
    return { data: customCategory };
  });
});
afterAll(() => gateway.stop());
afterEach(() => {
  for (const release of releases.splice(0)) release();
});

describe('a deadline', () => {
  it('is passed to the service in epoch milliseconds', async () => {
    const before = Date.now();
    await ask(`${gateway.base}/jobs/1`, { headers: keys });
    expect(deadline).toBeGreaterThanOrEqual(before + 700);
    expect(deadline).toBeLessThanOrEqual(Date.now() + 700);
  });

  it('504 where the service does not answer', async () => {
    const answer = await ask(`${gateway.base}/jobs/2`, { headers: keys });
    expect([answer.status, answer.body.code]).toEqual([504, 'deadline_exceeded']);
  });

  it('does not count the time that the client takes for its body', async () => {
    const sent = request(`${gateway.base}/jobs`, {
      method: 'POST',
      headers: { ...keys, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
      agent: false,
    });
    const startedAt = Date.now();
    sent.write('{');
    await waitFor(() => Date.now() - startedAt > 900, { what: 'a slow client' });
    const status = new Promise((resolve) => {
      sent.on('response', (response) => resolve(response.resume().statusCode));
    });
    sent.end('}');
    expect(await status).not.toBe(504);
    expect(deadline).toBeGreaterThan(startedAt + 1500);
  });
});

describe('a service that is down', () => {
  it('503 with Retry-After at once; other services answer', async () => {
    const answer = await ask(`${gateway.base}/jobs/1`, {
      method: 'PUT',
      headers: { ...keys, 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '1',
    ]);
    expect((await ask(`${gateway.base}/jobs/1`, { headers: keys })).status).toBe(200);
    const peer = await gateway.standIn(updateJob, async () => ({ data: job }));
    await peer.close();
  });
});

/** Runs `work` while jobs is at its limit, and resolves to the statuses of the requests that hold its places. */
async function whileJobsAreFull(work: () => Promise<void>): Promise<number[]> {
  held = 0;
  const stuck = consumers.map((headers) => ask(`${gateway.base}/jobs/2`, { headers }));
  await waitFor(() => held === 3, { what: 'three requests under way' });
  await work();
  for (const release of releases.splice(0)) release();
  return (await Promise.all(stuck)).map(({ status }) => status);
}

describe('more requests at once than MAX_IN_FLIGHT', () => {
  it('are refused with 503 and Retry-After; health is not', async () => {
    held = 0;
    const busy = [
      ...consumers.map((headers) => ask(`${gateway.base}/jobs/2`, { headers })),
      ask(`${gateway.base}/jobcategories/2`),
    ];
    await waitFor(() => held === 4, { what: 'four requests under way' });
    const answer = await ask(`${gateway.base}/jobcategories/1`);
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'overloaded',
      '1',
    ]);
    expect((await ask(`${gateway.origin}/healthz`)).status).toBe(200);
    expect((await Promise.all(busy)).map(({ status }) => status)).toEqual([504, 504, 504, 504]);
    expect((await ask(`${gateway.base}/jobcategories/1`)).status).toBe(200);
  });

  it('are refused in the shape and with the headers of any other error', async () => {
    await whileJobsAreFull(async () => {
      const own = { 'Request-Id': 'mine-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
      const accept = { ...own, Accept: 'application/problem+json' };
      const [refused, other] = await Promise.all([
        ask(`${gateway.base}/jobs/1?page=1`, { headers: { ...keys, ...accept } }),
        ask(`${gateway.base}/nothing`, { headers: { ...keys, ...accept } }),
      ]);
      expect(refused.body).toMatchObject({ data: null, warnings: [], status: 503, requestId: 'mine-1' });
      expect(refused.body.instance).toBe('/v1.0/jobs/1');
      const { reason, ...asUsual } = refused.body;
      expect(reason).toBe('gateway_concurrency');
      expect(Object.keys(asUsual)).toEqual(Object.keys(other.body));
      expect(refused.headers.get('traceparent')).toMatch(new RegExp(`^00-${'a'.repeat(32)}-`));
      const perConsumer = new Set(['ratelimit', 'ratelimit-policy']);
      const usual = [...other.headers].filter(([name]) => !perConsumer.has(name));
      const alike = ['access-control-allow-origin', 'content-security-policy', 'content-type', 'request-id'];
      for (const name of alike) expect(refused.headers.get(name)).toBe(other.headers.get(name));
      const names = usual.map(([name]) => name);
      expect([...refused.headers.keys()].toSorted()).toEqual([...names, 'retry-after'].toSorted());
      expect(await gateway.metrics.registry.metrics()).toMatch(
        /http_server_requests_total\{[^}]*status="503"[^}]*reason="gateway_concurrency"/,
      );
    });
  });

  it('count until their work ends, even after their clients have left', async () => {
    held = 0;
    const sent = consumers.map((headers) => {
      const each = request(`${gateway.base}/jobs/2`, { headers, agent: false });
      each.on('error', () => undefined).end();
      return each;
    });
    await waitFor(() => held === 3, { what: 'three requests under way' });
    const closed = sent.map((each) => new Promise((resolve) => each.on('close', resolve)));
    for (const each of sent) each.destroy();
    await Promise.all(closed);
    const aborted = /http_server_requests_total\{[^}]*status="499"[^}]*\} 3/;
    await waitFor(async () => aborted.test(await gateway.metrics.registry.metrics()), {
      what: 'three aborted requests',
    });
    const again = () => ask(`${gateway.base}/jobs/1`, { headers: keys });
    expect((await again()).status).toBe(503);
    for (const release of releases.splice(0)) release();
    await waitFor(async () => (await again()).status === 200, { what: 'a free place' });
  });
});

describe('one service that is stuck', () => {
  it('preflights are answered', async () => {
    await whileJobsAreFull(async () => {
      const headers = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' };
      expect((await ask(`${gateway.base}/jobs`, { method: 'OPTIONS', headers })).status).toBe(204);
    });
  });

  it('a client that still sends its body reads the 503 before the connection closes', async () => {
    await whileJobsAreFull(async () => {
      const sent = request(`${gateway.base}/jobs`, {
        method: 'POST',
        headers: { ...keys, 'Content-Type': 'application/json', Connection: 'close' },
        agent: false,
      });
      const status = new Promise((resolve, reject) => {
        sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      });
      sent.end(JSON.stringify({ description: 'x'.repeat(3_000_000) }));
      expect(await status).toBe(503);
    });
  });

  it('leaves places for requests to the others', async () => {
    const statuses = await whileJobsAreFull(async () => {
      const [refused, other] = await Promise.all([
        ask(`${gateway.base}/jobs/1`, { headers: keys }),
        ask(`${gateway.base}/jobcategories/1`),
      ]);
      expect([refused.status, refused.body.code, other.status]).toEqual([503, 'overloaded', 200]);
    });
    expect(statuses).toEqual([200, 200, 200]);
  });
});
