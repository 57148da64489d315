import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceError } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { connect } from 'nats';
import { decodeReply, encodeRequest } from '../src/envelope.ts';
import type { Bus, RawHandler, ServeOptions } from '../src/index.ts';
import {
  contextOf,
  endpointsWith,
  reply,
  type RunningBus,
  runBus,
  serveOptions,
  withBody,
  withParams,
} from './running-bus.ts';
import { holdingProxy } from './holding-proxy.ts';

let running: RunningBus;
let caller: Bus;
beforeAll(async () => {
  running = await runBus();
  caller = await running.connect();
});
afterAll(() => running.stop());

const request = () => caller.request(withBody, { body: { jobId: 1 }, context: contextOf(20_000) });
const serve = async (handle: RawHandler, options: Partial<ServeOptions> = {}) =>
  (await running.connect()).serve(endpointsWith(handle), { ...serveOptions, ...options });

describe('serve › replicas', () => {
  it('share the requests: each goes to one of them', async () => {
    const handledBy: string[] = [];
    const replicas = await Promise.all(
      ['one', 'other'].map((name) =>
        serve(() => {
          handledBy.push(name);
          return Promise.resolve(reply({}));
        }),
      ),
    );
    await Promise.all(Array.from({ length: 100 }, request));
    expect(handledBy).toHaveLength(100);
    expect(new Set(handledBy)).toEqual(new Set(['one', 'other']));
    await Promise.all(replicas.map(({ stop }) => stop()));
  });

  it('restart one after the other under load without a lost reply', async () => {
    const slow: RawHandler = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return reply({});
    };
    let stopped = false;
    let answered = 0;
    const load = async () => {
      while (!stopped) {
        await request();
        answered++;
      }
    };
    const steady = await serve(slow);
    const clients = Promise.all(Array.from({ length: 30 }, load));
    for (let round = 0; round < 8; round++) {
      const replica = await serve(slow);
      const before = answered;
      await waitFor(() => answered > before + 60, { what: 'some answers' });
      await replica.stop();
      expect(replica.inFlight()).toBe(0);
    }
    stopped = true;
    await clients;
    await steady.stop();
    await expect(request()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('serve › stop', () => {
  it('resolves after the replies of all requests in flight are sent', async () => {
    const gate = Promise.withResolvers<void>();
    const bus = await running.connect();
    const served = await bus.serve(
      endpointsWith(() => gate.promise.then(() => reply({}))),
      serveOptions,
    );
    const requests = Array.from({ length: 20 }, request);
    await waitFor(() => served.inFlight() === 20, { what: 'all requests in flight' });
    gate.resolve();
    await served.stop();
    await bus.close();
    await expect(Promise.all(requests)).resolves.toHaveLength(20);
  });
});

describe('serve › deadline', () => {
  it.each([
    ['has passed on the way', () => encodeRequest({ requestId: 'r-1', deadline: Date.now() - 1 }, {})],
    ['is missing', () => encodeRequest({ requestId: 'r-1' } as never, {})],
  ])('that %s: the request is not executed', async (_what, headers) => {
    let handled = 0;
    const served = await serve(() => {
      handled++;
      return Promise.resolve(reply({}));
    });
    const stranger = await connect({ servers: running.nats.url });
    const answer = await stranger.request(withBody.subject, '{}', { timeout: 5000, headers: headers() });
    expect(() => decodeReply(answer)).toThrow(
      expect.objectContaining({ code: 'deadline_exceeded', reason: 'deadline' }),
    );
    expect(handled).toBe(0);
    await stranger.close();
    await served.stop();
  });

  it('gives the service no more than a minute, however far it is', async () => {
    let granted = Number.POSITIVE_INFINITY;
    const served = await serve(({ deadline }) => {
      granted = deadline - Date.now();
      return Promise.resolve(reply({}));
    });
    const context = { requestId: 'r-1', deadline: Number.MAX_SAFE_INTEGER };
    await caller.request(withBody, { body: { jobId: 1 }, context });
    expect(granted).toBeLessThanOrEqual(60_000);
    await served.stop();
  });
});

describe('serve › limits', () => {
  it('refuses a request over `maxInFlight` with `service_concurrency`', async () => {
    const held = Promise.withResolvers<void>();
    const served = await serve(() => held.promise.then(() => reply({})), { maxInFlight: 2 });
    const outcomes = Array.from({ length: 4 }, () =>
      request().then(
        () => 'ok',
        ({ code, reason }: ServiceError) => `${code} ${reason}`,
      ),
    );
    await expect(outcomes[3]).resolves.toBe('overloaded service_concurrency');
    held.resolve();
    const refused = 'overloaded service_concurrency';
    expect(await Promise.all(outcomes)).toEqual(['ok', 'ok', refused, refused]);
    await served.stop();
  });

  it('refuses a body over `maxInFlightBytes` with `service_memory`, unless it is alone', async () => {
    const gate = Promise.withResolvers<void>();
    const served = await serve(() => gate.promise.then(() => reply({})), { maxInFlightBytes: 10 });
    const alone = request();
    await waitFor(() => served.inFlight() === 1, { what: 'a large body in flight' });
    await expect(request()).rejects.toMatchObject({
      code: 'overloaded',
      reason: 'service_memory',
      retryAfterSeconds: 1,
    });
    gate.resolve();
    await expect(alone).resolves.toBeDefined();
    await expect(request()).resolves.toBeDefined();
    await served.stop();
  });

  it('refuses every request while replies on their way take more than `maxInFlightBytes`', async () => {
    const upstream = await holdingProxy(running.nats.url);
    const bus = await running.connect({ url: upstream.url });
    const large = { outcome: 'ok' as const, data: Buffer.from(JSON.stringify('x'.repeat(100_000))) };
    const served = await bus.serve(
      endpointsWith(() => Promise.resolve(large)),
      { ...serveOptions, maxInFlightBytes: 50_000 },
    );
    upstream.hold();
    const first = request();
    await waitFor(() => upstream.held().length > large.data.length, { what: 'the first reply' });
    const second = request();
    const withoutBody = caller.request(withParams, { params: { code: 'abc' }, context: contextOf(20_000) });
    const refusals = () => upstream.held().toString('latin1').split('service_memory').length - 1;
    await waitFor(() => refusals() === 2, { what: 'the refusals' });
    expect(served.inFlight()).toBe(1);
    upstream.release();
    await expect(first).resolves.toBeDefined();
    for (const refused of [second, withoutBody]) {
      await expect(refused).rejects.toMatchObject({ code: 'overloaded', reason: 'service_memory' });
    }
    await waitFor(() => served.inFlight() === 0, { what: 'the end of the reply' });
    await expect(request()).resolves.toBeDefined();
    await served.stop();
  });
});
