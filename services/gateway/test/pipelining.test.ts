import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createJob, getJob } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { job, newJob } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keys } from './support/stand-ins.ts';

const MOST_UNANSWERED = 16;
const MEGABYTE = 1024 * 1024;
const head = (path: string, headers: Record<string, string> = {}) =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...Object.entries(headers).map((pair) => pair.join(': ')), '', ''].join(
    '\r\n',
  );

async function open(origin: string): Promise<Socket> {
  const { port, hostname } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** The gateway's monotonic clock runs ahead by so many milliseconds. */
let aheadMs = 0;
const monotonic = () => performance.now() + aheadMs;

describe('requests pipelined on one connection', () => {
  let gateway: TestGateway;
  let releases: (() => void)[] = [];
  beforeAll(async () => {
    gateway = await startGateway({ REQUEST_TIMEOUT_MS: '20000', RECEIVE_TIMEOUT_MS: '5000' }, { monotonic });
    await gateway.standIn(getJob, async ({ params }) => {
      if (params.id !== 1) await new Promise<void>((resolve) => releases.push(resolve));
      return { data: { ...job, id: params.id } };
    });
    await gateway.standIn(createJob, async () => ({ outcome: 'created', id: job.id, data: job }));
    await ask(`${gateway.base}/jobs/1`, { headers: keys });
  });
  afterAll(() => gateway.stop());

  const releaseAll = () => {
    for (const release of releases) release();
    releases = [];
  };

  it('are worked on 16 at a time, and answered in their order', async () => {
    const socket = await open(gateway.origin);
    const ids = Array.from({ length: 50 }, (_, index) => index + 2);
    let received = '';
    socket.setEncoding('utf8').on('data', (text) => (received += text));
    socket.write(ids.map((id) => head(`/v1.0/jobs/${id}`, keys)).join(''));
    let most = 0;
    const answered = () => [...received.matchAll(/"data":\{"id":(\d+)/g)].map(([, id]) => Number(id));
    await waitFor(() => releases.length === MOST_UNANSWERED, { what: 'the first 16 requests' });
    expect((await ask(`${gateway.base}/jobs/1`, { headers: keys })).status).toBe(200);
    await waitFor(
      () => {
        most = Math.max(most, releases.length);
        releaseAll();
        return answered().length === ids.length;
      },
      { what: 'fifty answers' },
    );
    expect(most).toBeLessThanOrEqual(MOST_UNANSWERED);
    expect(answered()).toEqual(ids);
    socket.destroy();
  });

  it('are not read any further while 16 are unanswered; up to 100 are all answered', async () => {
    const connected = once(gateway.server.server, 'connection');
    const socket = await open(gateway.origin);
    const [atServer] = (await connected) as [Socket];
    let received = '';
    socket.setEncoding('utf8').on('data', (text) => (received += text));
    socket.write(head('/v1.0/jobs/2', keys).repeat(MOST_UNANSWERED) + head('/healthz').repeat(84));
    await waitFor(() => releases.length === MOST_UNANSWERED && atServer.isPaused(), { what: 'the pause' });
    const before = atServer.bytesRead;
    socket.write(head('/healthz'));
    expect((await ask(`${gateway.base}/jobs/1`, { headers: keys })).status).toBe(200);
    expect(atServer.bytesRead).toBe(before);
    releaseAll();
    const answers = () => received.split('HTTP/1.1 200').length - 1;
    await waitFor(() => answers() === 101, { what: 'every answer' });
    socket.destroy();
  });

  it('close their connection where there are more than 100, and keep their address out for 10 s', async () => {
    const [flood, idle, busy] = await Promise.all([
      open(gateway.origin),
      open(gateway.origin),
      open(gateway.origin),
    ]);
    const areClosed = Promise.all([flood, idle].map((socket) => once(socket, 'close')));
    busy.write(head('/v1.0/jobs/2', keys));
    await waitFor(() => releases.length === 1, { what: 'the request under way' });
    flood.resume().write(head('/v1.0/jobs/3', keys).repeat(101));
    await areClosed;
    await once((await open(gateway.origin)).resume(), 'close');
    const answered = once(busy, 'data');
    releaseAll();
    await answered;
    busy.destroy();
    aheadMs += 10_000;
    const later = await open(gateway.origin);
    later.write(head('/healthz'));
    await once(later, 'data');
    later.destroy();
  });

  it('may have a body: it is read once it is its turn', async () => {
    const socket = await open(gateway.origin);
    let received = '';
    socket.setEncoding('utf8').on('data', (text) => (received += text));
    const body = JSON.stringify({ ...newJob, description: 'x'.repeat(300_000) });
    const headers = { ...keys, 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
    socket.write(head('/v1.0/jobs/2', keys).repeat(MOST_UNANSWERED));
    await waitFor(() => releases.length === MOST_UNANSWERED, { what: 'the first 16 requests' });
    socket.write(head('/v1.0/jobs', headers).replace('GET', 'POST') + body + head('/healthz'));
    releaseAll();
    await waitFor(() => received.includes('HTTP/1.1 201') && received.includes('{"status":"live"'), {
      what: 'the answers to POST and to what follows it',
    });
    socket.destroy();
  });

  it('are dropped with their connection', async () => {
    const connected = once(gateway.server.server, 'connection');
    const socket = await open(gateway.origin);
    const [atServer] = (await connected) as [Socket];
    const closed = once(atServer, 'close');
    socket.write(head('/v1.0/jobs/2', keys).repeat(40));
    await waitFor(() => releases.length === MOST_UNANSWERED, { what: 'the first 16 requests' });
    socket.destroy();
    await closed;
    releaseAll();
    expect((await ask(`${gateway.base}/jobs/1`, { headers: keys })).status).toBe(200);
    expect(releases).toEqual([]);
  });
});

describe('a client that pipelines thousands of requests and reads no answer', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    // A trusted proxy is not shut out, and the health checks below come from the same address.
    gateway = await startGateway({ RECEIVE_TIMEOUT_MS: '300', TRUSTED_PROXIES: '127.0.0.1' });
    await gateway.standIn(getJob, async () => ({ data: job }));
  });
  afterAll(() => gateway.stop());

  it.each([
    ['/readyz', {}],
    ['/docs/scalar.js', {}],
    ['/v1.0/countries', {}],
    ['/v1.0/jobs/1', keys],
  ])('of %s %j costs little memory, delays nobody and is cut off', async (path, headers) => {
    const { server } = gateway.server;
    const connections = promisify(server.getConnections.bind(server));
    const before = process.memoryUsage().rss;
    let unanswered = 0;
    let most = 0;
    const count = (_request: unknown, response: ServerResponse) => {
      most = Math.max(most, ++unanswered);
      response.once('close', () => unanswered--);
    };
    server.on('request', count);
    const sockets = await Promise.all(Array.from({ length: 10 }, () => open(gateway.origin)));
    for (const socket of sockets) socket.pause().write(head(path, headers).repeat(4000));
    await waitFor(
      async () => {
        expect((await ask(`${gateway.origin}/healthz`)).status).toBe(200);
        // One connection is that of the health check above.
        return (await connections()) <= 1;
      },
      { what: 'the end of the connections', limitMs: 30_000 },
    );
    for (const socket of sockets) socket.destroy();
    server.off('request', count);
    // One read of 64 kB brings at most 2,000 of them; only one connection is being read at a time.
    expect(most).toBeLessThanOrEqual(10 * 100 + 2000);
    expect(Math.round((process.memoryUsage().rss - before) / MEGABYTE)).toBeLessThan(300);
  });
});
