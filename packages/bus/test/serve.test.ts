import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import type { Bus, RawHandler } from '../src/index.ts';
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
beforeAll(async () => {
  running = await runBus();
  caller = await running.connect();
});
afterAll(() => running.stop());

const ask = () => caller.request(withBody, { body: { jobId: 1 }, context: contextOf(20_000) });
const serve = async (handle: RawHandler) =>
  (await running.connect()).serve(endpointsWith(handle), serveOptions);

describe('replicas', () => {
  it('share the requests, each of which one of them gets', async () => {
    const handledBy: string[] = [];
    const replicas = await Promise.all(
      ['one', 'other'].map((name) =>
        serve(() => {
          handledBy.push(name);
          return Promise.resolve(reply({}));
        }),
      ),
    );
    await Promise.all(Array.from({ length: 100 }, ask));
    expect(handledBy).toHaveLength(100);
    expect(new Set(handledBy)).toEqual(new Set(['one', 'other']));
    await Promise.all(replicas.map(({ stop }) => stop()));
  });

  it('are restarted one after the other under load without a lost reply', async () => {
    const slow: RawHandler = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return reply({});
    };
    let stopped = false;
    let answered = 0;
    const load = async () => {
      while (!stopped) {
        await ask();
        answered++;
      }
    };
    const steady = await serve(slow);
    const lanes = Promise.all(Array.from({ length: 30 }, load));
    for (let round = 0; round < 8; round++) {
      const replica = await serve(slow);
      const before = answered;
      await waitFor(() => answered > before + 60, { what: 'some answers' });
      await replica.stop();
      expect(replica.inFlight()).toBe(0);
    }
    stopped = true;
    await lanes;
    await steady.stop();
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('replies', () => {
  it('are all sent before the service has stopped', async () => {
    const gate = Promise.withResolvers<void>();
    const connection = await running.connect();
    const served = await connection.serve(
      endpointsWith(() => gate.promise.then(() => reply({}))),
      serveOptions,
    );
    const asked = Array.from({ length: 20 }, ask);
    await waitFor(() => served.inFlight() === 20, { what: 'all requests under way' });
    gate.resolve();
    await served.stop();
    await connection.close();
    await expect(Promise.all(asked)).resolves.toHaveLength(20);
  });
});

describe('a deadline', () => {
  it('however far gives the service no more than a minute', async () => {
    let granted = Number.POSITIVE_INFINITY;
    const served = await serve((request) => {
      granted = request.deadline - Date.now();
      return Promise.resolve(reply({}));
    });
    const context = { requestId: 'r-1', deadline: Number.MAX_SAFE_INTEGER };
    await caller.request(withBody, { body: { jobId: 1 }, context });
    expect(granted).toBeLessThanOrEqual(60_000);
    await served.stop();
  });
});

describe('a service with all the bytes that it may handle', () => {
  it('refuses more of them at once, but never a body that is alone', async () => {
    const gate = Promise.withResolvers<void>();
    const served = await (
      await running.connect()
    ).serve(
      endpointsWith(async () => {
        await gate.promise;
        return reply({});
      }),
      { ...serveOptions, maxInFlightBytes: 10 },
    );
    const alone = ask();
    await waitFor(() => served.inFlight() === 1, { what: 'a large body under way' });
    await expect(ask()).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    gate.resolve();
    await expect(alone).resolves.toBeDefined();
    await expect(ask()).resolves.toBeDefined();
    await served.stop();
  });
});
