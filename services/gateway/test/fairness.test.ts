import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createCategory, createJob, getCategory, getJob, listJobs } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { customCategory, job, jobHeader } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keys, keysOfConsumer } from './support/stand-ins.ts';

const STUCK = 2;
const LARGE = 3;
let gateway: TestGateway;
/** The gateway's monotonic clock stands still, but for this. */
let aheadMs = 0;
let one: Record<string, string>;
let two: Record<string, string>;
let other: Record<string, string>;
let isLargeRead = false;
let releases: (() => void)[] = [];

const stick = () => new Promise<void>((resolve) => releases.push(resolve));
const releaseAll = () => {
  for (const release of releases) release();
  releases = [];
};
/** Releases those under way and those that get their places afterwards, until all are answered. */
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
const gauge = async (name: string) =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await gateway.metrics.registry.metrics())?.[1]);
const inFlight = () => gauge('http_server_requests_in_flight');

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
  two = keysOfConsumer(gateway.accounts, 20);
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

describe('large bodies of one consumer', () => {
  it('have 16 MiB a second: the next one waits for a second; small requests do not', async () => {
    const send = () =>
      ask(`${gateway.base}/jobs`, {
        method: 'POST',
        headers: { ...two, 'Content-Type': 'application/json' },
        body: JSON.stringify({ description: 'x'.repeat(3 * 1024 * 1024) }),
      });
    const sent = async () => {
      const answer = send();
      await waitFor(() => releases.length === 1, { what: 'the large body' });
      releaseAll();
      return (await answer).status;
    };
    expect([await sent(), await sent()]).toEqual([201, 201]);
    const refused = send();
    const small = read(two);
    expect(await Promise.race([refused, small])).toBe(await small);
    expect((await small).status).toBe(200);
    expect([(await refused).status, (await refused).body.reason]).toEqual([429, 'consumer_concurrency']);
    const delayed = sent();
    expect((await read(two)).status).toBe(200);
    aheadMs += 1000;
    expect(await delayed).toBe(201);
  });
});

describe('unfinished bodies of one consumer', () => {
  const MIB = 1024 * 1024;
  const length = 4 * MIB;
  const sockets: Socket[] = [];
  let heard = '';
  afterAll(() => void sockets.map((socket) => socket.destroy()));

  /** Sends all of a body but its last byte. */
  const startOne = (): void => {
    const { hostname, port } = new URL(gateway.base);
    const headers = { Host: 'a', ...two, 'Content-Type': 'application/json', 'Content-Length': length };
    const head = [
      'POST /v1.0/jobs HTTP/1.1',
      ...Object.entries(headers).map((pair) => pair.join(': ')),
      '',
      '',
    ];
    const socket = connect(Number(port), hostname);
    socket.setEncoding('utf8').on('data', (text) => (heard += text));
    socket.on('error', () => undefined).write(head.join('\r\n') + ' '.repeat(length - 1));
    sockets.push(socket);
  };

  it('hold a quarter of the memory; past it they get 429, and those of others are read', async () => {
    while (heard === '' && sockets.length < 10) {
      startOne();
      const least = sockets.length * (length - 1);
      await waitFor(async () => heard !== '' || (await gauge('http_server_buffered_bytes')) >= least, {
        what: 'the body, or its refusal',
      });
      aheadMs += 1000;
    }
    expect(heard).toMatch(/^HTTP\/1\.1 429 .*"reason":"consumer_concurrency"/s);
    expect(await gauge('http_server_buffered_bytes')).toBeLessThanOrEqual(12 * MIB);
    const read = ask(`${gateway.base}/jobs`, {
      method: 'POST',
      headers: { ...other, 'Content-Type': 'application/json' },
      body: JSON.stringify({ description: 'x'.repeat(MIB) }),
    });
    await waitFor(() => releases.length === 1, { what: 'the body of the other consumer' });
    releaseAll();
    expect((await read).status).toBe(201);
  });
});

describe('requests without keys', () => {
  it('have 16 MiB of large answers a second, files of the docs among them', async () => {
    const sizes: number[] = [];
    let status = 200;
    while (status === 200 && sizes.length < 100) {
      const answer = await fetch(`${gateway.origin}/docs/static/swagger-ui-bundle.js`);
      sizes.push((await answer.arrayBuffer()).byteLength);
      ({ status } = answer);
    }
    expect(status).toBe(429);
    const read = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0);
    expect(Math.floor(read / (16 * 1024 * 1024))).toBe(1);
    expect([await statusOf(one), await statusOf({}, '/jobtypes')]).toEqual([200, 429]);
  });

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
