import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@joblisting/bus';
import { resolveGrants } from '@joblisting/contracts';
import { startNats, testClock, type TestNats, waitFor } from '@joblisting/testing';
import type { ServedStandIns } from '@joblisting/testing/system';
import { type Credentials, credentialsOf } from '../src/auth/credentials.ts';
import { type GrantsCache, grantsCache } from '../src/auth/grants.ts';
import {
  type Accounts,
  consumerKey,
  demoAccounts,
  pairOf,
  serveStandIn,
  standInAccounts,
  principal,
  secretOf,
  userKey,
} from './support/stand-ins.ts';

const keysOf = (consumer: string): Credentials =>
  credentialsOf('GET', { 'consumer-api-key': consumer, 'user-api-key': userKey }, 'keys')!;
const credentials = keysOf(consumerKey);
let nats: TestNats;
let bus: Bus;
let accounts: Accounts;
let lookUps: string[];
let peer: ServedStandIns;
let elapsed: number;
let clock: ReturnType<typeof testClock>;
let grants: GrantsCache;

const NETWORK = '192.0.2.1';
const context = () => ({ requestId: 'test', deadline: Date.now() + 2000 });
const attempt = (keys: Credentials) => grants.resolve(keys, NETWORK, context());
const resolve = () => attempt(credentials);

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ url: nats.url, name: 'gateway' });
});
afterAll(async () => {
  await peer.close();
  await bus.close();
  await nats.stop();
});
beforeEach(async () => {
  await peer?.close();
  accounts = demoAccounts();
  lookUps = [];
  elapsed = 0;
  clock = testClock('2026-11-20T10:00:00Z');
  peer = await standInAccounts(nats.url, accounts, lookUps);
  grants = grantsCache({ bus, clock, monotonic: () => elapsed });
});

describe('grants', () => {
  it('are remembered for 5 s and asked for again then', async () => {
    expect(await resolve()).toMatchObject({ principal });
    elapsed = 4999;
    await resolve();
    expect(lookUps).toHaveLength(1);
    elapsed = 5000;
    await resolve();
    expect(lookUps).toHaveLength(2);
  });

  it('hold for 5 s from the question, not from a slow answer', async () => {
    await peer.close();
    const goOn = Promise.withResolvers<void>();
    const came = Promise.withResolvers<void>();
    peer = await serveStandIn(nats.url, resolveGrants, async ({ body }) => {
      lookUps.push(body.consumer);
      came.resolve();
      await goOn.promise;
      return {
        data: { principal, keyIds: [100], expiresAt: null, readsPerMinute: null, writesPerMinute: null },
      };
    });
    const first = resolve();
    await came.promise;
    elapsed = 4000;
    goOn.resolve();
    await first;
    elapsed = 4999;
    await resolve();
    expect(lookUps).toHaveLength(1);
    elapsed = 5000;
    await resolve();
    expect(lookUps).toHaveLength(2);
  });

  it('are remembered no longer than the keys live', async () => {
    const pair = pairOf(consumerKey, userKey);
    accounts.set(pair, { principal, keyIds: [100], expiresAt: '2026-11-20T10:00:02Z' });
    await resolve();
    elapsed = 1999;
    await resolve();
    expect(lookUps).toHaveLength(1);
    elapsed = 2000;
    await resolve();
    expect(lookUps).toHaveLength(2);
  });

  it.each([100, 200])('go at once when key %d is revoked', async (keyId) => {
    await resolve();
    accounts.clear();
    grants.drop(999);
    expect(await resolve()).toMatchObject({ principal });
    grants.drop(keyId);
    await expect(resolve()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('are not remembered where a revocation overtook the answer', async () => {
    const asking = resolve();
    grants.drop(100);
    await asking;
    accounts.clear();
    await expect(resolve()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('concurrent requests of one pair share one look-up', async () => {
    await Promise.all([resolve(), resolve(), resolve()]);
    expect(lookUps).toHaveLength(1);
  });

  it('refusals are remembered for 60 s, and cost no other key its grants', async () => {
    const unknown = keysOf(secretOf('consumer', 'unknown'));
    const refused = () => expect(attempt(unknown)).rejects.toMatchObject({ code: 'unauthenticated' });
    await refused();
    elapsed = 59_999;
    await refused();
    expect(lookUps).toHaveLength(1);
    elapsed = 60_000;
    await refused();
    expect(lookUps).toHaveLength(2);
    expect(await resolve()).toMatchObject({ principal });
  });

  it('errors are not remembered', async () => {
    await peer.close();
    await expect(resolve()).rejects.toMatchObject({ code: 'unavailable' });
    peer = await standInAccounts(nats.url, accounts, lookUps);
    await waitFor(async () => (await resolve().catch(() => undefined)) !== undefined, { what: 'grants' });
  });

  it('stay good for 5 s while accounts is down, then 503', async () => {
    await resolve();
    await peer.close();
    elapsed = 4999;
    expect(await resolve()).toMatchObject({ principal });
    elapsed = 5000;
    await expect(resolve()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  });

  it('say unavailable, not a time-out, where accounts does not answer: nothing was executed', async () => {
    const late = grants.resolve(credentials, NETWORK, { requestId: 'test', deadline: Date.now() - 1 });
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('are bounded in number: the least recently used go first', async () => {
    const few = grantsCache({ bus, clock, monotonic: () => elapsed, capacity: 2 });
    const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((name) => secretOf('consumer', name));
    for (const name of [a, b, c]) {
      accounts.set(pairOf(name, userKey), { principal, keyIds: [], expiresAt: null });
      await few.resolve(keysOf(name), NETWORK, context());
    }
    await few.resolve(keysOf(c), NETWORK, context());
    await few.resolve(keysOf(b), NETWORK, context());
    expect(lookUps).toHaveLength(3);
    await few.resolve(keysOf(a), NETWORK, context());
    expect(lookUps).toHaveLength(4);
  });
});
