import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createJob, getJob } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { job } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keysOfConsumer } from './support/stand-ins.ts';

const KIB = 1024;
let gateway: TestGateway;
/** The gateway's monotonic clock moves only by this. */
let aheadMs = 0;
let two: Record<string, string>;
let other: Record<string, string>;
let releases: (() => void)[] = [];
/** How much time the last POST had left when it was handled. */
let msLeft = 0;

const releaseAll = () => {
  for (const release of releases) release();
  releases = [];
};
const read = (headers: Record<string, string>, path = '/jobs/1') => ask(gateway.base + path, { headers });
const heldBytes = async () =>
  Number(/^http_server_buffered_bytes (\d+)/m.exec(await gateway.metrics.registry.metrics())?.[1]);

beforeAll(async () => {
  gateway = await startGateway({ REQUEST_TIMEOUT_MS: '20000' }, { monotonic: () => aheadMs });
  two = keysOfConsumer(gateway.accounts, 20);
  other = keysOfConsumer(gateway.accounts, 22);
  await gateway.standIn(getJob, async () => ({ data: { ...job, description: 'x'.repeat(40 * KIB) } }));
  await gateway.standIn(createJob, async ({ context }) => {
    msLeft = context.deadline - Date.now();
    await new Promise<void>((resolve) => releases.push(resolve));
    return { outcome: 'created', id: job.id, data: job };
  });
});
afterAll(() => gateway.stop());
afterEach(() => {
  aheadMs += 10_000;
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
    const begunAt = Date.now();
    const delayed = sent();
    expect((await read(two)).status).toBe(200);
    aheadMs += 1000;
    expect(await delayed).toBe(201);
    // The second that it waited does not count, only the time that really passed.
    expect(msLeft).toBeGreaterThanOrEqual(20_000 - (Date.now() - begunAt));
  });
});

describe('unfinished bodies of one consumer', () => {
  const MIB = 1024 * 1024;
  const length = 4 * MIB;
  const sockets: Socket[] = [];
  let received = '';
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
    socket.setEncoding('utf8').on('data', (text) => (received += text));
    socket.on('error', () => undefined).write(head.join('\r\n') + ' '.repeat(length - 1));
    sockets.push(socket);
  };

  it('hold a quarter of the memory; past it they get 429, and those of others are read', async () => {
    while (received === '' && sockets.length < 10) {
      startOne();
      const least = sockets.length * (length - 1);
      await waitFor(async () => received !== '' || (await heldBytes()) >= least, {
        what: 'the body, or its refusal',
      });
      aheadMs += 1000;
    }
    expect(received).toMatch(/^HTTP\/1\.1 429 .*"reason":"consumer_concurrency"/s);
    expect(await heldBytes()).toBeLessThanOrEqual(12 * MIB);
    const posted = ask(`${gateway.base}/jobs`, {
      method: 'POST',
      headers: { ...other, 'Content-Type': 'application/json' },
      body: JSON.stringify({ description: 'x'.repeat(MIB) }),
    });
    await waitFor(() => releases.length === 1, { what: 'the body of the other consumer' });
    releaseAll();
    expect((await posted).status).toBe(201);
  });
});

describe('answers', () => {
  it('of less than 64 KiB are not counted', async () => {
    const statuses = new Set<number>();
    for (let each = 0; each < 450; each++) statuses.add((await read(two)).status);
    expect([...statuses]).toEqual([200]);
  });

  it('to requests without keys have 16 MiB a second, files of the docs among them', async () => {
    const uncompressed = { 'Accept-Encoding': 'identity' };
    const sizes: number[] = [];
    let status = 200;
    while (status === 200 && sizes.length < 100) {
      const answer = await fetch(`${gateway.origin}/docs/scalar.js`, { headers: uncompressed });
      sizes.push((await answer.arrayBuffer()).byteLength);
      ({ status } = answer);
    }
    expect(status).toBe(429);
    const moved = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0);
    expect(Math.floor(moved / (16 * 1024 * 1024))).toBe(1);
    expect([(await read(two)).status, (await read({}, '/jobtypes')).status]).toEqual([200, 429]);
  });
});
