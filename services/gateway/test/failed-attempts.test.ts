import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getJob } from '@joblisting/contracts';
import { testClock } from '@joblisting/testing';
import { job } from '../src/routes/examples.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { keys, pairOf, principal, secretOf, userKey } from './support/stand-ins.ts';
import { askRaw } from './support/raw.ts';

const clock = testClock('2026-11-20T10:00:18.500Z');
const unknown = { ...keys, 'User-API-Key': secretOf('user', 'unknown') };
const lookUps: string[] = [];
let gateway: TestGateway;
let proxied: TestGateway;

const statusOf = async (
  headers: Record<string, string>,
  { path = '/jobs/1', at = gateway }: { path?: string; at?: TestGateway } = {},
) => (await askRaw(at.base + path, 'GET', headers)).status;
const from = (addresses: string) => ({ ...unknown, 'X-Forwarded-For': addresses });

beforeAll(async () => {
  gateway = await startGateway({ FAILED_AUTH_PER_MINUTE: '3' }, { clock, lookUps });
  proxied = await startGateway(
    { FAILED_AUTH_PER_MINUTE: '1', TRUSTED_PROXIES: '127.0.0.0/8, 192.0.2.1' },
    { clock, beside: gateway },
  );
  await gateway.standIn(getJob, async () => ({ data: job }));
});
afterAll(async () => {
  await proxied.stop();
  await gateway.stop();
});
beforeEach(() => clock.advance(60_000));

describe('requests without valid keys', () => {
  it('get 429 past the limit, whatever is wrong with the keys and wherever they go', async () => {
    const statuses = [
      await statusOf({}),
      await statusOf(unknown, { path: '/nothing' }),
      await statusOf({ 'Consumer-API-Key': secretOf('consumer', 'unknown') }, { path: '/metrics/events' }),
      await statusOf(unknown),
      await statusOf({}, { path: '/nothing' }),
    ];
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  it('429 carries Retry-After, and neither a challenge nor a rate limit', async () => {
    for (let each = 0; each < 3; each++) await statusOf({});
    const { headers, text } = await askRaw(`${gateway.base}/jobs/1`, 'GET', unknown);
    expect([JSON.parse(text).code, headers['retry-after']]).toEqual(['rate_limited', '42']);
    for (const name of ['www-authenticate', 'ratelimit', 'ratelimit-policy']) {
      expect(headers).not.toHaveProperty(name);
    }
    clock.advance(60_000);
    expect(await statusOf(unknown)).toBe(401);
  });

  it('do not affect valid keys from the same address', async () => {
    for (let each = 0; each < 5; each++) await statusOf(unknown);
    expect([await statusOf(unknown), await statusOf(keys)]).toEqual([429, 200]);
  });

  it('are looked up past the limit too: a key that the gateway does not know yet may be valid', async () => {
    for (let each = 0; each < 5; each++) await statusOf(unknown);
    const before = lookUps.length;
    const fresh = secretOf('consumer', 'fresh');
    gateway.accounts.set(pairOf(fresh, userKey), { principal, keyIds: [], expiresAt: null });
    expect(await statusOf({ ...keys, 'Consumer-API-Key': fresh })).toBe(200);
    expect(lookUps).toHaveLength(before + 1);
  });

  it('are looked up once where the key is the same', async () => {
    const before = lookUps.length;
    const again = { ...keys, 'Consumer-API-Key': secretOf('consumer', 'again') };
    expect([await statusOf(again), await statusOf(again), lookUps.length]).toEqual([401, 401, before + 1]);
  });

  it('cannot choose their address', async () => {
    const statuses: number[] = [];
    for (let each = 0; each < 5; each++) statuses.push(await statusOf(from(`198.51.100.${each}`)));
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });
});

describe('behind a trusted proxy', () => {
  const via = (addresses: string) => statusOf(from(addresses), { at: proxied });

  it('each client has its own limit', async () => {
    expect([await via('198.51.100.1'), await via('198.51.100.1'), await via('198.51.100.2')]).toEqual([
      401, 429, 401,
    ]);
  });

  it('counts the address that the last proxy saw, not what the client wrote before it', async () => {
    const statuses = [
      await via('203.0.113.1, 198.51.100.1'),
      await via('203.0.113.2, 198.51.100.1'),
      await via('203.0.113.3, 198.51.100.1, 192.0.2.1'),
    ];
    expect(statuses).toEqual([401, 429, 429]);
  });

  it.each([
    ['one IPv6 network of 64 bits', '2001:db8:0:7::1', '2001:db8:0:7:ffff::2', 429],
    ['neighbouring ones', '2001:db8:0:7::1', '2001:db8:0:8::1', 401],
    ['what is no address', 'unknown', 'nobody', 429],
    ['an IPv4 address in two forms', '198.51.100.9', '::ffff:198.51.100.9', 429],
  ])('takes %s as it is', async (_what, first, second, status) => {
    expect([await via(first), await via(second)]).toEqual([401, status]);
  });
});
