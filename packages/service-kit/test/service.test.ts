import {
  databasePrefix,
  freePort,
  mongoProxy,
  startNats,
  testClock,
  testMongoUri,
  type TestNats,
} from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus } from '@joblisting/bus';
import { createLink } from '@joblisting/contracts';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Type } from 'typebox';
import {
  ConfigError,
  type ConfigOf,
  createLog,
  endpoint,
  ownCall,
  type Parts,
  productVersion,
  type ServiceDefinition,
  startService,
} from '../src/index.ts';

const log = createLog('test', 'silent');
const config = { GREETING: Type.String({ default: 'hello' }) };

let nats: TestNats;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());

const env = (more: NodeJS.ProcessEnv = {}) => ({
  NATS_URL: nats.url,
  MONGODB_URI: testMongoUri(),
  MONGODB_DATABASE: `${databasePrefix()}service`,
  LOG_LEVEL: 'silent',
  ...more,
});

/** A service that records the steps of its life, in order. */
function notingService(more: Parts = {}) {
  const notes: string[] = [];
  const note = (what: string) => async () => void notes.push(what);
  const definition: ServiceDefinition<ConfigOf<typeof config>> = {
    name: 'noting',
    description: 'for tests',
    config,
    mongo: true,
    create: ({ config, mongo, clock }) => ({
      start: async () => {
        notes.push(`start ${config.GREETING} ${new Date(clock.now()).toISOString()}`);
        await mongo.collection('things').createIndex({ name: 1 });
      },
      started: note('started'),
      closing: note('closing'),
      stop: note('stop'),
      endpoints: [
        endpoint(createLink, () => Promise.resolve({ data: { url: config.GREETING, final: true } }), log),
      ],
      ...more,
    }),
  };
  return { definition, notes };
}

const ask = async () => {
  const bus = await connectBus({ url: nats.url, name: 'test' });
  const outcome = await bus.request(createLink, { body: { jobId: 1 }, context: ownCall(2000) }).then(
    ({ data }) => data.url,
    (error: { code: string }) => error.code,
  );
  await bus.close();
  return outcome;
};

describe('startService', () => {
  it('starts, serves and stops in order', async () => {
    const { definition, notes } = notingService();
    const clock = testClock('2026-03-01T12:00:00Z');
    const service = await startService(definition, { env: env({ GREETING: 'moin' }), clock });
    expect(notes).toEqual(['start moin 2026-03-01T12:00:00.000Z', 'started']);
    expect(await ask()).toBe('moin');
    expect(await service.notReady()).toBeUndefined();
    await service.stop();
    expect(notes.slice(2)).toEqual(['closing', 'stop']);
    expect(await ask()).toBe('unavailable');
    expect(await service.notReady()).toBe('stopping');
  });

  it('moves the clock', async () => {
    const { definition, notes } = notingService();
    const service = await startService(definition, { env: env({ CLOCK_OFFSET_MS: '86400000000' }) });
    const year = new Date(Date.now() + 86_400_000_000).getUTCFullYear();
    expect(notes[0]).toContain(`start hello ${year}`);
    await service.stop();
  });

  it('names every wrong setting at once, before it connects to anything', async () => {
    const { definition } = notingService();
    const wrong = { NATS_URL: 'nats://127.0.0.1:1', LOG_LEVEL: 'loud', MONGODB_URI: 'x', MAX_IN_FLIGHT: '0' };
    const attempt = startService(definition, { env: wrong });
    await expect(attempt).rejects.toThrow(ConfigError);
    await expect(attempt).rejects.toThrow(/LOG_LEVEL[\s\S]*MAX_IN_FLIGHT[\s\S]*MONGODB_URI/);
  });

  it('does not connect to a database that it does not use', async () => {
    const definition: ServiceDefinition<ConfigOf<typeof config>> = {
      name: 'plain',
      description: 'for tests',
      config,
      mongo: false,
      create: () => ({}),
    };
    const service = await startService(definition, { env: env({ MONGODB_URI: 'nowhere' }) });
    expect(await service.notReady()).toBeUndefined();
    await service.stop();
  });

  it('repeats `start` where the database goes away meanwhile', async () => {
    const proxy = await mongoProxy(testMongoUri());
    proxy.dieWithin('createIndexes');
    const { definition, notes } = notingService();
    const starting = startService(definition, { env: env({ MONGODB_URI: proxy.uri }) });
    await proxy.startAgain();
    const service = await starting;
    expect(notes.filter((note) => note.startsWith('start ')).length).toBeGreaterThan(1);
    expect(notes.filter((note) => !note.startsWith('start '))).toEqual(['started']);
    expect(await ask()).toBe('hello');
    await service.stop();
    await proxy.stop();
  });

  it('gives up `start` when the limit is over, and logs why at the first failure', async () => {
    const { definition, notes } = notingService({ start: () => Promise.reject(new Error('no index')) });
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    const attempt = startService(definition, { env: env(), log, startLimitMs: 500 });
    await expect(attempt).rejects.toThrow('no index');
    expect(notes).toEqual(['stop']);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 40, err: expect.objectContaining({ message: 'no index' }) }),
    ]);
  });

  it('closes everything where it cannot start', async () => {
    const failing = async () => {
      throw new Error('no');
    };
    const { definition, notes } = notingService({ started: failing });
    await expect(startService(definition, { env: env() })).rejects.toThrow('no');
    expect(notes.slice(-2)).toEqual(['closing', 'stop']);
    expect(await ask()).toBe('unavailable');
  });
});

describe('health', () => {
  it('serves /healthz for the process, and /readyz for its dependencies and stop', async () => {
    const port = await freePort();
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return [response.status, await response.json()];
    };
    const held = Promise.withResolvers<void>();
    const { definition } = notingService({ stop: () => held.promise });
    const service = await startService(definition, { env: env({ HEALTH_PORT: String(port) }) });
    expect(await get('/healthz')).toEqual([200, { status: 'live', version: productVersion }]);
    expect(await get('/readyz')).toEqual([200, { status: 'ready' }]);
    expect((await get('/other'))[0]).toBe(404);

    await nats.pause();
    const [ready, live] = [await get('/readyz'), await get('/healthz')];
    await nats.resume();
    expect(ready).toEqual([503, { status: 'not ready', reason: expect.any(String) }]);
    expect(live).toEqual([200, { status: 'live', version: productVersion }]);

    const stopped = service.stop();
    expect(await get('/readyz')).toEqual([503, { status: 'not ready', reason: 'stopping' }]);
    held.resolve();
    await stopped;
    await expect(get('/healthz')).rejects.toThrow('fetch failed');
  });

  it('does not start on a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { definition } = notingService();
    const attempt = startService(definition, { env: env({ HEALTH_PORT: String(port) }) });
    await expect(attempt).rejects.toThrow('EADDRINUSE');
    taken.close();
  });
});
