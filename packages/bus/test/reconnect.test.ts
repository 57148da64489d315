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

const ask = (limitMs = 3_600_000) =>
  caller.request(withBody, { body: { jobId: 1 }, context: contextOf(limitMs) });
const areConnected = () => caller.isConnected() && server.isConnected();

describe('a connection that breaks', () => {
  it('fails what is under way at once, refuses what comes, and works again when the server is back', async () => {
    const underWay = expect(ask()).rejects.toMatchObject({ code: 'deadline_exceeded' });
    await caller.flush();
    await running.nats.kill();
    await underWay;
    expect(caller.isConnected()).toBe(false);
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    await running.nats.restart();
    await waitFor(areConnected, { what: 'both connections' });
    held.resolve();
    await waitFor(() => ask(5000), { what: 'an answer' });
  });

  it('is noticed when the server is silent', async () => {
    const underWay = expect(ask()).rejects.toMatchObject({ code: 'deadline_exceeded' });
    await caller.flush();
    await running.nats.pause();
    await underWay;
    await running.nats.resume();
    await waitFor(areConnected, { what: 'both connections' });
    held.resolve();
    await waitFor(() => ask(5000), { what: 'an answer' });
  });
});

describe('connectBus', () => {
  it('gives up where there is no server', async () => {
    await running.nats.kill();
    const attempt = connectBus({ url: running.nats.url, name: 'test', connectTimeoutMs: 500 });
    await expect(attempt).rejects.toThrow();
    await running.nats.restart();
  });

  it('says when it is closed for good, and gives up what is under way', async () => {
    const bus = await running.connect();
    const closed = bus.closed();
    const underWay = bus.request(withBody, { body: { jobId: 1 }, context: contextOf(3_600_000) });
    const outcome = expect(underWay).rejects.toMatchObject({ code: 'deadline_exceeded' });
    await bus.close();
    await outcome;
    expect(await closed).toBeUndefined();
    expect(bus.isConnected()).toBe(false);
    const late = bus.request(withBody, { body: { jobId: 1 }, context: contextOf() });
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
  });
});
