import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { getJob, ServiceError } from '@joblisting/contracts';
import { testClock } from '@joblisting/testing';
import { job } from '../../src/routes/examples.ts';
import { startGateway } from './gateway.ts';
import { keys, pairOf, principal, userKey } from './peers.ts';
import { askRaw } from './raw.ts';

/** The most requests that are worked on at once. */
export const MOST = 8;
/** Characters of a description: more than the buffers of both systems hold. */
export const ENORMOUS = 6_000_000;
const HANDLED = 'tracing:fastify.request.handler:start';
/** A request with it goes the whole way, and its answer is the same. */
export const WHOLE_WAY = { 'If-None-Match': '"none"' };
/** A job with a long description that is not all Latin. */
export const large = { ...job, description: 'Grüße — ☃ 𝒳 '.repeat(9000) };

interface More {
  readonly scopes?: typeof principal.scopes;
  readonly keyIds?: number[];
  readonly readsPerMinute?: number;
}

type ReadsWorld = Awaited<ReturnType<typeof startReadsWorld>>;

/**
 * A gateway in front of a played `jobs`, where what a job's id is says what becomes of a read: 3 is large, 4 has a
 * warning, 5 is not there, 6 fails, 7 is too much, 8 waits until it is released, 9 is enormous.
 */
async function startReadsWorld() {
  const clock = testClock('2026-11-20T10:00:18.500Z');
  const gateway = await startGateway({ MAX_IN_FLIGHT: String(MOST), REQUEST_TIMEOUT_MS: '700' }, { clock });
  let waiting: (() => void)[] = [];
  let handled = 0;
  let nextConsumer = 5000;

  const playJobs = () =>
    gateway.play(getJob, async ({ params: { id }, warnings }) => {
      if (id === 3) return { version: 9, data: large };
      if (id === 4) {
        warnings.push({ code: 'unknown_field', detail: 'Ärger ☃', pointer: '#/x' });
        return { version: 2, data: job };
      }
      if (id === 5) throw new ServiceError('job_not_found', 'There is no job 5: „nowhere“.');
      if (id === 6) throw new Error('secret');
      if (id === 7) throw new ServiceError('overloaded', undefined, { retryAfterSeconds: 2.2 });
      if (id === 9) return { version: 1, data: { ...job, description: 'x'.repeat(ENORMOUS) } };
      if (id === 8) await new Promise<void>((resolve) => waiting.push(resolve));
      return { version: 3, data: { ...job, id } };
    });
  const peer = await playJobs();

  const countHandled = (message: unknown) => {
    const { url } = (message as { request: { url: string } }).request;
    if (url.startsWith('/v1.0/')) handled++;
  };
  subscribe(HANDLED, countHandled);

  const read = (path: string, headers: Record<string, string> = {}, own: object = keys) =>
    askRaw(gateway.base + path, 'GET', { ...own, ...headers });

  return {
    gateway,
    clock,
    peer,
    playJobs,
    read,
    /** How many requests the router has handled since the last reset, but for looks at its health. */
    handled: () => handled,
    /** How many reads wait. */
    waiting: () => waiting.length,
    release: () => {
      for (const end of waiting) end();
      waiting = [];
    },
    /** Keys are remembered from the first request with them on: this is it. */
    reset: async () => {
      await read('/jobs/1');
      handled = 0;
    },
    /** Keys of a consumer that nobody else is. */
    newKeys: ({ scopes = principal.scopes, keyIds = [], ...limits }: More = {}) => {
      const consumerId = nextConsumer++;
      const key = `jlc_${consumerId}`;
      const grants = { principal: { ...principal, consumerId, scopes }, keyIds, expiresAt: null, ...limits };
      gateway.accounts.set(pairOf(key, userKey), grants);
      return { ...keys, 'Consumer-API-Key': key };
    },
    stop: async () => {
      unsubscribe(HANDLED, countHandled);
      await gateway.stop();
    },
  };
}

/** The same for the tests of one file. Each begins with keys that are remembered, and ends with nothing that waits. */
export function readsWorld(): () => ReadsWorld {
  let world: ReadsWorld;
  beforeAll(async () => {
    world = await startReadsWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.reset());
  afterEach(() => world.release());
  return () => world;
}
