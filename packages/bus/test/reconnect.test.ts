import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { type Bus, connectBus } from '../src/index.ts';
import {
  contextOf,
  endpointsWith,
  reply,
  type RunningBus,
  runBus,
  serveOptions,
  withBody,
} from './running-bus.ts';

let running: RunningBus;
let caller: Bus;
let server: Bus;
let held = Promise.withResolvers<void>();

beforeEach(async () => {
  running = await runBus();
  caller = await running.connect();
  server = await running.connect();
  held = Promise.withResolvers();
  await server.serve(
    endpointsWith(() => held.promise.then(() => reply({}))),
    serveOptions,
  );
});
afterEach(async () => {
  held.resolve();
  await running.stop();
});

const request = (limitMs = 60_000) =>
  caller.request(withBody, { body: { jobId: 1 }, context: contextOf(limitMs) });
const replyLost = { code: 'deadline_exceeded', reason: 'reply_lost' };
const busAway = { code: 'unavailable', reason: 'bus_away', retryAfterSeconds: 1 };
const areConnected = () => caller.isConnected() && server.isConnected();

describe('a lost connection', () => {
  it('rejects pending requests at once, refuses new ones, and works again when the server is back', async () => {
    const underWay = expect(request()).rejects.toMatchObject(replyLost);
    await caller.flush();
    await running.nats.kill();
    await underWay;
    expect(caller.isConnected()).toBe(false);
    await expect(request()).rejects.toMatchObject(busAway);
    await running.nats.restart();
    await waitFor(areConnected, { what: 'both connections' });
    held.resolve();
    await waitFor(() => request(5000), { what: 'an answer' });
  });

  it('is noticed when the server is silent', async () => {
    const underWay = expect(request()).rejects.toMatchObject(replyLost);
    await caller.flush();
    await running.nats.pause();
    await underWay;
    await running.nats.resume();
    await waitFor(areConnected, { what: 'both connections' });
    held.resolve();
    await waitFor(() => request(5000), { what: 'an answer' });
  });
});

describe('connectBus', () => {
  it('rejects where there is no server', async () => {
    await running.nats.kill();
    const attempt = connectBus({ url: running.nats.url, name: 'test', connectTimeoutMs: 500 });
    await expect(attempt).rejects.toThrow();
    await running.nats.restart();
  });

  it('leaves no connection to a server that accepts and stays silent', async () => {
    const open = new Set<Socket>();
    const silent = createServer((socket) => {
      open.add(socket.once('close', () => open.delete(socket)).resume());
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const attempt = connectBus({ url: `127.0.0.1:${port}`, name: 'test', connectTimeoutMs: 500 });
    await expect(attempt).rejects.toThrow();
    await waitFor(() => open.size === 0, { what: 'the connection to be closed' });
    silent.close();
  });

  it('closed for good: `closed` resolves, and pending requests are rejected', async () => {
    const bus = await running.connect();
    const closed = bus.closed();
    const underWay = bus.request(withBody, { body: { jobId: 1 }, context: contextOf(60_000) });
    const outcome = expect(underWay).rejects.toMatchObject(replyLost);
    await bus.close();
    await outcome;
    expect(await closed).toBeUndefined();
    expect(bus.isConnected()).toBe(false);
    const late = bus.request(withBody, { body: { jobId: 1 }, context: contextOf() });
    await expect(late).rejects.toMatchObject(busAway);
  });
});
