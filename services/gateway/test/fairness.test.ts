import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createCategory, createJob, getCategory, getJob, listJobs } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { customCategory, job, jobHeader } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keys, keysOfConsumer } from './support/stand-ins.ts';

const STUCK = 2;
const LARGE = 3;
let gateway: TestGateway;
/** The gateway's monotonic clock moves only by this. */
let aheadMs = 0;
let one: Record<string, string>;
let other: Record<string, string>;
let isLargeRead = false;
let releases: (() => void)[] = [];

const stick = () => new Promise<void>((resolve) => releases.push(resolve));
const releaseAll = () => {
  for (const release of releases) release();
  releases = [];
};
/** Releases requests as they get places, until all are answered. */
const finish = async <T>(requests: readonly Promise<T>[]): Promise<T[]> => {
  let isOver = false;
  const all = Promise.all(requests).finally(() => (isOver = true));
  const release = () => {
    releaseAll();
    return isOver;
  };
  await waitFor(release, { what: 'the answers to all requests' });
  return all;
};
const read = (headers: Record<string, string>, path = '/jobs/1') => ask(gateway.base + path, { headers });
const statusOf = async (headers: Record<string, string>, path?: string) => (await read(headers, path)).status;
const inFlight = async () =>
  Number(/requests_in_flight (\d+)/.exec(await gateway.metrics.registry.metrics())?.[1]);

/** While one request of `one` is under way, others of it get no place. */
const takesItsShareAlone = async (): Promise<void> => {
  await waitFor(() => releases.length === 1, { what: 'the heavy request' });
  expect([await statusOf(one), await statusOf(other)]).toEqual([429, 200]);
  releaseAll();
};

beforeAll(async () => {
  // Twelve places for one service.
  gateway = await startGateway(
    { MAX_IN_FLIGHT: '16', REQUEST_TIMEOUT_MS: '20000' },
    { monotonic: () => aheadMs },
  );
  one = keysOfConsumer(gateway.accounts, 21);
  other = keysOfConsumer(gateway.accounts, 22);
  await gateway.standIn(getJob, async ({ params }) => {
    if (params.id === STUCK) await stick();
    if (params.id !== LARGE) return { data: job };
    const isFirst = !isLargeRead;
    isLargeRead = true;
    if (!isFirst) await stick();
    return { data: { ...job, description: 'x'.repeat(2 * 1024 * 1024) } };
  });
  await gateway.standIn(listJobs, async () => {
    await stick();
    return { data: [jobHeader] };
  });
  await gateway.standIn(createJob, async () => {
    await stick();
    return { outcome: 'created', id: job.id, data: job };
  });
  await gateway.standIn(getCategory, async ({ params }) => {
    if (params.id > 1) await stick();
    return { data: customCategory };
  });
  await gateway.standIn(createCategory, async () => ({ outcome: 'created', id: 1, data: customCategory }));
});
afterAll(() => gateway.stop());
afterEach(async () => {
  aheadMs += 10_000;
  releaseAll();
  await waitFor(async () => (await inFlight()) === 0, { what: 'the end of all requests' });
});

describe('a consumer with many requests at once', () => {
  it('gets half of the places of a service, then 429 with Retry-After; others go through', async () => {
    const flood = Array.from({ length: 20 }, () => read(one, `/jobs/${STUCK}`));
    await waitFor(() => releases.length === 6, { what: 'six requests under way' });
    const refused = await read(one);
    expect([
      refused.status,
      refused.body.code,
      refused.body.reason,
      refused.headers.get('retry-after'),
    ]).toEqual([429, 'consumer_concurrency', 'consumer_concurrency', '1']);
    expect(refused.headers.get('ratelimit')).toMatch(/^"reads"/);
    expect([await statusOf(other), await statusOf(one, '/jobcategories/1')]).toEqual([200, 200]);
    const statuses = (await finish(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(6);
    expect(statuses.filter((status) => status === 429)).toHaveLength(14);
    expect(await statusOf(one)).toBe(200);
  });

  it('leaves a quarter to the second; 503 comes where all places are taken', async () => {
    const flood = (headers: Record<string, string>) =>
      Array.from({ length: 8 }, () => read(headers, `/jobs/${STUCK}`));
    const first = flood(one);
    await waitFor(() => releases.length === 6, { what: 'six requests under way' });
    const second = flood(other);
    await waitFor(() => releases.length === 9, { what: 'nine requests under way' });
    const others = [23, 24, 25].map((id) => read(keysOfConsumer(gateway.accounts, id), `/jobs/${STUCK}`));
    await waitFor(() => releases.length === 12, { what: 'twelve requests under way' });
    const full = await read(keys);
    expect([full.status, full.body.reason]).toEqual([503, 'gateway_concurrency']);
    await finish([...first, ...second, ...others]);
  });

  it.each([
    ['a page of 1,000', '/jobs?company.id=1&pageSize=1000', {}],
    [
      'a body of 2 MiB',
      '/jobs',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ description: 'x'.repeat(2 * 1024 * 1024) }),
      },
    ],
  ])('has its share with %s alone', async (_what, path, init) => {
    const { headers = {}, ...rest } = init as { headers?: Record<string, string> };
    const heavy = ask(gateway.base + path, { ...rest, headers: { ...headers, ...one } });
    await takesItsShareAlone();
    expect((await heavy).status).toBeLessThan(300);
  });
});

describe('a read of a job that was large the last time', () => {
  it('takes the share of its client alone', async () => {
    expect([await statusOf(one, `/jobs/${LARGE}`), await statusOf(one)]).toEqual([200, 200]);
    const heavy = read(one, `/jobs/${LARGE}`);
    await takesItsShareAlone();
    expect((await heavy).status).toBe(200);
  });
});

describe('requests without keys', () => {
  it('are counted by address', async () => {
    const flood = Array.from({ length: 10 }, (_, turn) => read({}, `/jobcategories/${turn + 2}`));
    await waitFor(() => releases.length === 6, { what: 'six requests under way' });
    const [refused, keyed] = await Promise.all([
      read({}, '/jobcategories/100'),
      ask(`${gateway.base}/jobcategories`, {
        method: 'POST',
        headers: { ...one, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'New', company: { id: 1 } }),
      }),
    ]);
    expect([refused.status, refused.body.code, keyed.status]).toEqual([429, 'consumer_concurrency', 201]);
    await finish(flood);
  });
});
