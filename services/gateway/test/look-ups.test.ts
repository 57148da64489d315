import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getJob, resolveGrants, ServiceError } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import type { ServedStandIns } from '@joblisting/testing/system';
import { job } from '../src/routes/examples.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { askRaw } from './support/raw.ts';
import { keys, keysOfConsumer, secretOf, serveStandIn, userKey } from './support/stand-ins.ts';

let gateway: TestGateway;
let accounts: ServedStandIns;
let lookUps: (() => void)[] = [];
let isStuck = false;
let arrived = 0;

const read = (headers: Record<string, string>, address: string) =>
  askRaw(`${gateway.base}/jobs/1`, 'GET', { ...headers, 'X-Forwarded-For': address });
const statusOf = async (headers: Record<string, string>, address: string) =>
  (await read(headers, address)).status;
const guess = (name: string | number) => ({
  'Consumer-API-Key': secretOf('consumer', `guess ${name}`),
  'User-API-Key': userKey,
});
const inFlight = async () =>
  Number(/requests_in_flight (\d+)/.exec(await gateway.metrics.registry.metrics())?.[1]);

beforeAll(async () => {
  gateway = await startGateway({
    REQUEST_TIMEOUT_MS: '20000',
    TRUSTED_PROXIES: '127.0.0.1',
    FAILED_AUTH_PER_MINUTE: '100000',
  });
  gateway.server.server.on('request', () => arrived++);
  await gateway.standIn(getJob, async () => ({ data: job }));
  await gateway.accountsStandIn.close();
  accounts = await serveStandIn(gateway.nats.url, resolveGrants, async ({ body }) => {
    if (isStuck) await new Promise<void>((resolve) => lookUps.push(resolve));
    const known = gateway.accounts.get(`${body.consumer} ${body.user}`);
    if (!known) throw new ServiceError('unauthenticated');
    return { data: { readsPerMinute: null, writesPerMinute: null, ...known } };
  });
});
afterAll(async () => {
  await accounts.close();
  await gateway.stop();
});

describe('keys that the gateway does not know', () => {
  it('are looked up a few at a time, hold no place, and delay no key that is known', async () => {
    const [address, otherAddress] = ['198.51.100.1', '198.51.100.2'];
    expect(await statusOf(keys, address)).toBe(200);
    isStuck = true;
    arrived = 0;
    const guesses = Array.from({ length: 300 }, (_, turn) => statusOf(guess(turn), address));
    await waitFor(() => arrived === 300 && lookUps.length === 16, { what: 'sixteen look-ups' });
    expect([await inFlight(), await statusOf(keys, address)]).toEqual([0, 200]);

    const { status, headers, text } = await read(guess('refused'), address);
    expect([status, JSON.parse(text).code, headers['retry-after']]).toEqual([429, 'rate_limited', '1']);
    const fresh = statusOf(keysOfConsumer(gateway.accounts, 31), otherAddress);
    await waitFor(() => arrived === 303, { what: 'a valid key that is new' });
    expect(lookUps).toHaveLength(16);
    isStuck = false;
    for (const answer of lookUps) answer();
    lookUps = [];
    expect(await fresh).toBe(200);
    const statuses = await Promise.all(guesses);
    expect(statuses.filter((each) => each === 401)).toHaveLength(256);
    expect(statuses.filter((each) => each === 429)).toHaveLength(44);
  });
});
