import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus } from '@joblisting/bus';
import { createJob, getCategory, getJob, keyRevoked } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { customCategory, job } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { consumerKey, keys, pairOf, principal, secretOf, userKey } from './support/stand-ins.ts';

let gateway: TestGateway;
let created = 0;

beforeAll(async () => {
  gateway = await startGateway({ RECEIVE_TIMEOUT_MS: '1500', MAX_IN_FLIGHT: '4' });
  await gateway.standIn(getJob, async () => ({ data: job }));
  await gateway.standIn(createJob, async () => {
    created++;
    return { outcome: 'created', id: job.id, data: job };
  });
  await gateway.standIn(getCategory, async () => ({ data: customCategory }));
});
afterAll(() => gateway.stop());

describe('a client that is still sending its body', () => {
  it('holds no place until its body is complete', async () => {
    // Caches the keys, so that the requests below wait for no look-up.
    expect((await ask(`${gateway.base}/jobs/1`, { headers: keys })).status).toBe(200);
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

describe('a key that is revoked while a body arrives', () => {
  it('401 once the body is complete', async () => {
    const own = { 'Consumer-API-Key': secretOf('consumer', 'slow'), 'User-API-Key': userKey };
    const pair = pairOf(secretOf('consumer', 'slow'), userKey);
    gateway.accounts.set(pair, { principal, keyIds: [900, 200], expiresAt: null });
    const headers = { ...own, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const sent = request(`${gateway.base}/jobs`, { method: 'POST', headers, agent: false });
    const answered = once(sent, 'response');
    const arrived = once(gateway.server.server, 'request');
    sent.write('{');
    await arrived;
    await waitFor(async () => (await ask(`${gateway.base}/jobs/1`, { headers: own })).status === 200, {
      what: 'the keys to be good',
    });
    gateway.accounts.delete(pair);
    const bus = await connectBus({ url: gateway.nats.url, name: 'accounts' });
    bus.notify(keyRevoked, { keyId: 900 });
    await waitFor(async () => (await ask(`${gateway.base}/jobs/1`, { headers: own })).status === 401, {
      what: 'the keys to be forgotten',
    });
    const before = created;
    sent.end('}');
    const [response] = (await answered) as [IncomingMessage];
    expect([response.resume().statusCode, created]).toEqual([401, before]);
    await bus.close();
  });
});

describe('clients that leave before their answer', () => {
  it('free their memory', async () => {
    const small = await startGateway({ MAX_BUFFERED_BYTES: '5000' });
    const gates: (() => void)[] = [];
    await small.standIn(getJob, async ({ params }) => {
      if (params.id === 2) await new Promise<void>((resolve) => gates.push(resolve));
      return { data: job };
    });
    const sent = Array.from({ length: 20 }, () => {
      const each = request(`${small.base}/jobs/2`, { headers: keys, agent: false });
      each.on('error', () => undefined).end();
      return each;
    });
    await waitFor(() => gates.length === 20, { what: 'twenty requests under way' });
    const closed = sent.map((each) => new Promise((resolve) => each.on('close', resolve)));
    for (const each of sent) each.destroy();
    await Promise.all(closed);
    for (const release of gates) release();
    expect((await ask(`${small.base}/jobs/1`, { headers: keys })).status).toBe(200);
    await small.stop();
  });
});

describe('a refused client that sends its body slowly', () => {
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
    await small.standIn(getCategory, async ({ params }) => ({
      data: params.id === 1 ? customCategory : Buffer.from(JSON.stringify('x'.repeat(7_000_000))),
    }));
  });
  afterAll(() => small.stop());

  const lazy = async () => {
    const { port, hostname } = new URL(small.origin);
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    // More than the socket buffers hold.
    socket.write('GET /v1.0/jobcategories/2 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(4));
    const [raw] = (await once(small.server.server, 'request')) as [IncomingMessage];
    return { leave: () => socket.destroy(), isCut: () => raw.socket.destroyed };
  };
  const isOpen = async () => (await ask(`${small.base}/jobcategories/1`)).status === 200;

  it('holds no place, and is cut off first where memory is short', async () => {
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
    let received = '';
    for await (const chunk of socket) received += chunk;
    return received;
  };

  it.each([
    ['in its headers', 'GET /v1.0/jobs HTTP/1.1\r\nHost: a\r\nX: '],
    [
      'in its body',
      `POST /v1.0/jobs HTTP/1.1\r\nHost: a\r\nConsumer-API-Key: ${consumerKey}\r\nUser-API-Key: ${userKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    ],
  ])('is cut off %s', async (_where, bytes) => {
    expect(await cut(bytes)).toContain('HTTP/1.1 408 Request Timeout');
  });

  it('is cut off where it does not read its answers', async () => {
    const impatient = await startGateway({ RECEIVE_TIMEOUT_MS: '300' });
    const large = Buffer.from(JSON.stringify('x'.repeat(7_000_000)));
    await impatient.standIn(getCategory, async () => ({ data: large }));
    const { port, hostname } = new URL(impatient.origin);
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    // More than the socket buffers hold.
    socket.write('GET /v1.0/jobcategories/2 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(4));
    const { server } = impatient.server;
    const connections = promisify(server.getConnections.bind(server));
    await waitFor(connections, { what: 'the connection' });
    await waitFor(async () => (await connections()) === 0, { what: 'the end of it', limitMs: 20_000 });
    socket.destroy();
    await impatient.stop();
  });
});
