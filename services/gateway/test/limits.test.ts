import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createJob, getCategory, getJob, updateJob } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { customCategory, job } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keys } from './support/peers.ts';

let gateway: TestGateway;
const releases: (() => void)[] = [];
let held = 0;
let deadline = 0;

beforeAll(async () => {
  gateway = await startGateway({
    REQUEST_TIMEOUT_MS: '700',
    RECEIVE_TIMEOUT_MS: '1500',
    MAX_IN_FLIGHT: '4',
  });
  await gateway.play(getJob, async ({ context, params }) => {
    deadline = context.deadline;
    if (params.id === 1) return { data: job };
    held++;
    await new Promise<void>((resolve) => {
      releases.push(resolve);
    });
    return { data: job };
  });
  await gateway.play(createJob, async ({ context }) => {
    deadline = context.deadline;
    return { outcome: 'created', id: job.id, data: job };
  });
  await gateway.play(getCategory, async ({ params }) => {
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
  it('travels with the request, in epoch milliseconds', async () => {
    const before = Date.now();
    await ask(`${gateway.base}/jobs/1`, { headers: keys });
    expect(deadline).toBeGreaterThanOrEqual(before + 700);
    expect(deadline).toBeLessThanOrEqual(Date.now() + 700);
  });

  it('ends in 504 where the service does not answer', async () => {
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

describe('a service that is away', () => {
  it('makes 503 with Retry-After at once; others answer', async () => {
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
    const peer = await gateway.play(updateJob, async () => ({ data: job }));
    await peer.stop();
  });
});

describe('more requests at once than MAX_IN_FLIGHT', () => {
  it('are refused with 503 and Retry-After; health is not', async () => {
    held = 0;
    const busy = [
      ...Array.from({ length: 3 }, () => ask(`${gateway.base}/jobs/2`, { headers: keys })),
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

  it('a client that goes away frees its place', async () => {
    held = 0;
    const sent = Array.from({ length: 3 }, () => {
      const each = request(`${gateway.base}/jobs/2`, { headers: keys, agent: false });
      each.on('error', () => undefined).end();
      return each;
    });
    await waitFor(() => held === 3, { what: 'three requests under way' });
    for (const each of sent) each.destroy();
    const again = () => ask(`${gateway.base}/jobs/1`, { headers: keys });
    await waitFor(async () => (await again()).status === 200, { what: 'a free place', limitMs: 600 });
  });
});

describe('one service that is stuck', () => {
  it('leaves places for requests to the others', async () => {
    held = 0;
    const stuck = Array.from({ length: 3 }, () => ask(`${gateway.base}/jobs/2`, { headers: keys }));
    await waitFor(() => held === 3, { what: 'three requests under way' });
    const [refused, other] = await Promise.all([
      ask(`${gateway.base}/jobs/1`, { headers: keys }),
      ask(`${gateway.base}/jobcategories/1`),
    ]);
    expect([refused.status, refused.body.code, other.status]).toEqual([503, 'overloaded', 200]);
    for (const release of releases.splice(0)) release();
    expect((await Promise.all(stuck)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe('a client that is still sending its body', () => {
  it('holds no place, and gets one when the body is here', async () => {
    const begin = () => {
      const headers = { ...keys, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
      const each = request(`${gateway.base}/jobs`, { method: 'POST', headers, agent: false });
      const status = new Promise((resolve) => {
        each.on('response', (response) => resolve(response.resume().statusCode));
      });
      each.write('{');
      return { each, status };
    };
    let arrived = 0;
    gateway.server.server.on('request', () => arrived++);
    const slow = Array.from({ length: 6 }, begin);
    await waitFor(() => arrived === 6, { what: 'six slow clients' });
    expect((await ask(`${gateway.base}/jobs/1`, { headers: keys })).status).toBe(200);
    for (const { each, status } of slow) {
      each.end('}');
      expect(await status).not.toBe(503);
    }
  });
});

describe('a refused client that is slow with the body nobody wants', () => {
  it('holds no place', async () => {
    const { port, hostname } = new URL(gateway.origin);
    const head = 'POST /v1.0/jobs HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 100\r\n\r\n{';
    const arrived = new Set<unknown>();
    gateway.server.server.on('request', (raw) => arrived.add(raw.socket.remotePort));
    const sockets = Array.from({ length: 4 }, () => connect(Number(port), hostname));
    for (const socket of sockets) socket.on('error', () => undefined).write(head);
    const areHere = () => sockets.every(({ localPort }) => arrived.has(localPort));
    await waitFor(areHere, { what: 'four refused requests' });
    const answer = await ask(`${gateway.base}/jobcategories/1`);
    for (const socket of sockets) socket.destroy();
    expect(answer.status).toBe(200);
  });
});

describe('a client that does not read its answer', () => {
  let small: TestGateway;
  beforeAll(async () => {
    small = await startGateway({ MAX_IN_FLIGHT: '6', MAX_BUFFERED_BYTES: '30000000' });
    await small.play(getCategory, async ({ params }) => ({
      data: params.id === 1 ? customCategory : Buffer.from(JSON.stringify('x'.repeat(7_000_000))),
    }));
  });
  afterAll(() => small.stop());

  const lazy = async () => {
    const { port, hostname } = new URL(small.origin);
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    // More than the buffers of both systems hold.
    socket.write('GET /v1.0/jobcategories/2 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(4));
    const [raw] = (await once(small.server.server, 'request')) as [IncomingMessage];
    return { leave: () => socket.destroy(), isCut: () => raw.socket.destroyed };
  };
  const isOpen = async () => (await ask(`${small.base}/jobcategories/1`)).status === 200;

  it('holds no place, and is the first to go where memory is short', async () => {
    const first = await lazy();
    await waitFor(isOpen, { what: 'a free place' });
    const second = await lazy();
    const hasRoomAgain = async () => first.isCut() && (await isOpen());
    await waitFor(hasRoomAgain, { what: 'the first to go', limitMs: 30_000 });
    second.leave();
    first.leave();
  });
});

describe('a slow client', () => {
  const cut = async (bytes: string) => {
    const { port, hostname } = new URL(gateway.origin);
    const socket = connect(Number(port), hostname);
    socket.setEncoding('utf8').write(bytes);
    let heard = '';
    for await (const chunk of socket) heard += chunk;
    return heard;
  };

  it.each([
    ['in its headers', 'GET /v1.0/jobs HTTP/1.1\r\nHost: a\r\nX: '],
    [
      'in its body',
      `POST /v1.0/jobs HTTP/1.1\r\nHost: a\r\nConsumer-API-Key: jlc_consumer\r\nUser-API-Key: jlu_user\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    ],
  ])('is cut off %s', async (_where, bytes) => {
    expect(await cut(bytes)).toContain('HTTP/1.1 408 Request Timeout');
  });

  it('is cut off where it does not read its answers', async () => {
    const impatient = await startGateway({ RECEIVE_TIMEOUT_MS: '300' });
    const large = Buffer.from(JSON.stringify('x'.repeat(7_000_000)));
    await impatient.play(getCategory, async () => ({ data: large }));
    const { port, hostname } = new URL(impatient.origin);
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    // More than the buffers of both systems hold.
    socket.write('GET /v1.0/jobcategories/2 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(4));
    const { server } = impatient.server;
    const connections = promisify(server.getConnections.bind(server));
    await waitFor(connections, { what: 'the connection' });
    await waitFor(async () => (await connections()) === 0, { what: 'the end of it', limitMs: 20_000 });
    socket.destroy();
    await impatient.stop();
  });
});
