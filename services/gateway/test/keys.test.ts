import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus } from '@joblisting/bus';
import {
  createCategory,
  getCategory,
  getJob,
  keyRevoked,
  listJobs,
  type Principal,
  recordEvents,
  scopes,
} from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { customCategory, job, jobHeader, metricsBatch, metricsReceipt } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import {
  consumerKey,
  keys,
  metricsKey,
  metricsPrincipal,
  pairOf,
  principal,
  secretOf,
  userKey,
} from './support/stand-ins.ts';
import { askRaw } from './support/raw.ts';

let gateway: TestGateway;
let caller: Principal | undefined;
const lookUps: string[] = [];
const unknownUser = secretOf('user', 'unknown');
const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const json = { 'Content-Type': 'application/json' };

beforeAll(async () => {
  gateway = await startGateway({}, { lookUps });
  const note =
    <T>(result: T) =>
    async ({ context }: { context: { principal?: Principal | undefined } }) => {
      caller = context.principal;
      return result;
    };
  await gateway.standIn(getJob, note({ data: job }));
  await gateway.standIn(listJobs, note({ data: [jobHeader] }));
  await gateway.standIn(getCategory, note({ data: customCategory }));
  await gateway.standIn(createCategory, note({ data: customCategory }));
  await gateway.standIn(recordEvents, note({ data: metricsReceipt }));
});
afterAll(() => gateway.stop());

describe('a request that needs keys', () => {
  const refused: [string, Record<string, string | string[]>][] = [
    ['no keys', {}],
    ['only the consumer key', { 'Consumer-API-Key': consumerKey }],
    ['only the user key', { 'User-API-Key': userKey }],
    ['empty keys', { 'Consumer-API-Key': '', 'User-API-Key': '' }],
    ['an unknown key', { ...keys, 'User-API-Key': unknownUser }],
    ['a mistyped key', { ...keys, 'Consumer-API-Key': `${consumerKey.slice(0, -1)}!` }],
    ['a malformed key', { ...keys, 'Consumer-API-Key': '*' }],
    ['a key of 8 KiB', { ...keys, 'Consumer-API-Key': 'x'.repeat(8192) }],
    ['keys the wrong way round', { 'Consumer-API-Key': userKey, 'User-API-Key': consumerKey }],
    ['two consumer keys', { ...keys, 'Consumer-API-Key': [consumerKey, secretOf('consumer', 'other')] }],
    ['two user keys', { ...keys, 'User-API-Key': [secretOf('user', 'other'), userKey] }],
    ['HTTP Basic with one key', basic(consumerKey)],
    [
      'HTTP Basic beside a key header',
      { ...basic(`${consumerKey}:${userKey}`), 'User-API-Key': unknownUser },
    ],
    ['a bearer token', { Authorization: `Bearer ${consumerKey}` }],
  ];

  it.each(refused)('is refused with %s, always alike', async (_what, headers) => {
    const answer = await askRaw(`${gateway.base}/jobs/1`, 'GET', { ...headers, 'Request-Id': 'same' });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="Job Listing Service"');
    const without = await askRaw(`${gateway.base}/jobs/1`, 'GET', { 'Request-Id': 'same' });
    expect(answer.text).toBe(without.text);
  });

  const mistyped = (secret: string) => `${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}`;
  it.each([
    ['the consumer key', { ...keys, 'Consumer-API-Key': mistyped(consumerKey) }],
    ['the user key', { ...keys, 'User-API-Key': mistyped(userKey) }],
  ])('is refused without a look-up where the checksum of %s is wrong', async (_which, headers) => {
    const before = lookUps.length;
    const answer = await ask(`${gateway.base}/jobs/1`, { headers });
    expect([answer.status, answer.body.code, lookUps.length]).toEqual([401, 'unauthenticated', before]);
  });

  it.each([
    ['the key headers', keys],
    ['HTTP Basic', basic(`${consumerKey}:${userKey}`)],
  ])('goes through with %s, and carries the principal', async (_what, headers) => {
    for (const method of ['GET', 'HEAD']) {
      caller = undefined;
      expect((await ask(`${gateway.base}/jobs/1`, { method, headers })).status).toBe(200);
      expect(caller).toEqual(principal);
    }
  });

  it('401 for a write with HTTP Basic', async () => {
    const headers = { ...basic(`${consumerKey}:${userKey}`), ...json };
    expect((await ask(`${gateway.base}/jobcategories`, { method: 'POST', headers, body: '{}' })).status).toBe(
      401,
    );
  });

  it.each([
    ['jobs:read', 'GET', '/jobs/1'],
    ['jobs:read', 'GET', '/jobs?company.id=1'],
    ['jobs:read', 'GET', '/jobs/1/metrics'],
    ['jobs:read', 'GET', '/jobs/changes?company.id=1'],
    ['events:read', 'GET', '/events?company.id=1'],
    ['webhooks:write', 'POST', '/webhooks'],
    ['webhooks:write', 'GET', '/webhooks?company.id=1'],
    ['webhooks:write', 'GET', '/webhooks/1'],
    ['webhooks:write', 'PUT', '/webhooks/1'],
    ['webhooks:write', 'DELETE', '/webhooks/1'],
    ['webhooks:write', 'POST', '/webhooks/1/test'],
    ['webhooks:write', 'GET', '/webhooks/1/attempts'],
    ['webhooks:write', 'POST', '/webhooks/1/replay'],
    ['webhooks:write', 'POST', '/webhooks/1/rotate-secret'],
    ['jobs:write', 'POST', '/jobs'],
    ['jobs:write', 'POST', '/jobs/batch'],
    ['jobs:write', 'POST', '/syncs'],
    ['jobs:read', 'GET', '/syncs/1'],
    ['jobs:write', 'POST', '/syncs/1/items'],
    ['jobs:write', 'POST', '/syncs/1/commit'],
    ['jobs:write', 'PUT', '/jobs'],
    ['jobs:write', 'DELETE', '/jobs'],
    ['jobs:write', 'PUT', '/jobs/1'],
    ['jobs:write', 'DELETE', '/jobs/1'],
    ['categories:write', 'POST', '/jobcategories'],
    ['categories:write', 'PUT', '/jobcategories/1'],
    ['categories:write', 'DELETE', '/jobcategories/1'],
    ['metrics:write', 'POST', '/metrics/events'],
    ['applications:write', 'POST', '/jobs/1/applications'],
    ['applications:read', 'GET', '/applications?company.id=1'],
    ['applications:read', 'GET', '/applications/1'],
    ['applications:read', 'GET', '/applications/1/files/1'],
    ['applications:write', 'DELETE', '/applications/1'],
    ['applications:write', 'DELETE', '/applications?company.id=1&email=a@b.example'],
    ['applications:write', 'POST', '/applications/1/copies'],
  ])('needs %s for %s %s', async (scope, method, path) => {
    const others = scopes.filter((each) => each !== scope);
    const grant = { principal: { ...principal, scopes: others }, keyIds: [], expiresAt: null };
    const key = secretOf('consumer', `without ${scope}`);
    gateway.accounts.set(pairOf(key, userKey), grant).set(pairOf(key, null), grant);
    const answer = await ask(gateway.base + path, { method, headers: { ...keys, 'Consumer-API-Key': key } });
    expect([answer.status, answer.body.code]).toEqual([403, 'scope_missing']);
    expect(answer.body.detail).toContain(scope);
  });
});

describe('a request that needs none', () => {
  it('goes through without keys, and with wrong ones', async () => {
    const sent = [{}, { ...keys, 'User-API-Key': unknownUser }];
    for (const [turn, headers] of sent.entries()) {
      caller = principal;
      // A category of its own each: a cached answer would not reach the owner.
      expect((await ask(`${gateway.base}/jobcategories/${turn}`, { headers })).status).toBe(200);
      expect(caller).toBeUndefined();
    }
  });
});

describe('metrics', () => {
  const send = (headers: Record<string, string>) =>
    ask(`${gateway.base}/metrics/events`, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify(metricsBatch),
    });

  it('need a consumer key only; a user key is ignored', async () => {
    for (const more of [{}, { 'User-API-Key': userKey }, { 'User-API-Key': unknownUser }]) {
      expect((await send({ 'Consumer-API-Key': metricsKey, ...more })).status).toBe(200);
      expect(caller).toEqual(metricsPrincipal);
    }
    expect((await send({ 'User-API-Key': userKey })).status).toBe(401);
    expect((await send({ 'Consumer-API-Key': secretOf('consumer', 'unknown') })).status).toBe(401);
  });
});

describe('a revoked key', () => {
  it('401 as soon as the revocation is told', async () => {
    const revoked = { 'Consumer-API-Key': secretOf('consumer', 'revoked'), 'User-API-Key': userKey };
    const pair = pairOf(secretOf('consumer', 'revoked'), userKey);
    gateway.accounts.set(pair, { principal, keyIds: [300, 200], expiresAt: null });
    const statusOf = async () => (await ask(`${gateway.base}/jobs/1`, { headers: revoked })).status;
    expect(await statusOf()).toBe(200);
    gateway.accounts.delete(pair);
    expect(await statusOf()).toBe(200);
    const bus = await connectBus({ url: gateway.nats.url, name: 'accounts' });
    bus.notify(keyRevoked, { keyId: 300 });
    await bus.flush();
    await waitFor(async () => (await statusOf()) === 401, { what: 'the refusal', limitMs: 3000 });
    await bus.close();
  });
});
