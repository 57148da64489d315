import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@joblisting/bus';
import { createCategory, deleteCategory, getCategory, updateCategory } from '@joblisting/contracts';
import { createLog, endpoint, type KeptAnswer } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import { customCategory } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keys } from './support/stand-ins.ts';

const log = createLog('owner', 'silent');

/** A stand-in of `categories` that holds the first request until `goOn`, and replays kept answers. */
async function standInCategories(url: string) {
  const bus: Bus = await connectBus({ url, name: 'categories' });
  const kept = new Map<string, KeptAnswer>();
  const find = async (key: string) => kept.get(key);
  const held = Promise.withResolvers<void>();
  const came: string[] = [];
  const hold = async (name: string) => {
    came.push(name);
    if (came.length === 1) await held.promise;
  };
  const endpoints = [
    endpoint(getCategory, async () => (await hold('get'), { data: customCategory }), log),
    endpoint(updateCategory, async () => (await hold('update'), { data: customCategory }), log),
    endpoint(deleteCategory, async () => (await hold('delete'), { outcome: 'deleted' }), log),
    endpoint(
      createCategory,
      async ({ keep }) => {
        await hold('create');
        const result = { outcome: 'created', id: 1001, data: customCategory } as const;
        const answer = keep?.(result, Date.now());
        if (answer) kept.set(answer.key, answer);
        return result;
      },
      log,
      { kept: { find } },
    ),
  ];
  const options = { name: 'categories', version: '1.0.0', description: 'A stand-in.', maxInFlight: 10 };
  await bus.serve(endpoints, { ...options, onError: () => undefined });
  return { came, isThere: () => bus.isConnected(), goOn: () => held.resolve(), close: () => bus.close() };
}

const create = (base: string, headers: object = {}) =>
  ask(`${base}/jobcategories`, {
    method: 'POST',
    headers: { ...keys, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ name: customCategory.name, company: customCategory.company }),
  });
const keyed = { 'Idempotency-Key': 'k' };

describe('a reply lost because the bus restarts', () => {
  let gateway: TestGateway;
  let owner: Awaited<ReturnType<typeof standInCategories>>;
  beforeAll(async () => {
    gateway = await startGateway({ REQUEST_TIMEOUT_MS: '20000' });
  });
  afterAll(() => gateway.stop());
  beforeEach(async () => {
    owner = await standInCategories(gateway.nats.url);
    // The gateway has the keys cached from here on, so that no test needs accounts.
    const knowsKeys = async () =>
      (await ask(`${gateway.base}/jobcategories`, { method: 'POST', headers: keys })).status === 400;
    await waitFor(knowsKeys, { what: 'the keys to be known' });
  });
  afterEach(() => owner.close());

  const restart = async () => {
    await waitFor(() => owner.came.length > 0, { what: 'the first attempt' });
    await gateway.nats.restart();
    await waitFor(() => owner.isThere(), { what: 'the owner' });
  };

  it('GET is repeated', async () => {
    const answer = ask(`${gateway.base}/jobcategories/1001`);
    await restart();
    expect(await answer).toMatchObject({ status: 200, body: { data: customCategory } });
    owner.goOn();
    expect(owner.came).toEqual(['get', 'get']);
  });

  it('POST with an Idempotency-Key is repeated, and executed once', async () => {
    const answer = create(gateway.base, keyed);
    await restart();
    owner.goOn();
    const { status, headers, body } = await answer;
    expect([status, body.data, headers.get('idempotent-replayed')]).toEqual([201, customCategory, 'true']);
    expect(owner.came).toEqual(['create']);
  });

  it.each([
    ['POST', 'create', '', {}],
    ['PUT', 'update', '/1001', {}],
    ['DELETE', 'delete', '/1001', {}],
    ['PUT', 'update', '/1001', keyed],
    ['DELETE', 'delete', '/1001', keyed],
  ])('%s is never repeated: 504 (%s%s %j)', async (method, operation, path, headers) => {
    const sent = { name: customCategory.name, ...(method === 'POST' && { company: customCategory.company }) };
    const answer = ask(`${gateway.base}/jobcategories${path}`, {
      method,
      headers: { ...keys, 'Content-Type': 'application/json', ...headers },
      ...(method !== 'DELETE' && { body: JSON.stringify(sent) }),
    });
    await restart();
    expect(await answer).toMatchObject({ status: 504, body: { code: 'deadline_exceeded' } });
    // A second attempt would come within 50 ms.
    await delay(200);
    owner.goOn();
    expect(owner.came).toEqual([operation]);
  });
});

describe('a reply that stays lost', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ REQUEST_TIMEOUT_MS: '2000' });
    await ask(`${gateway.base}/jobcategories`, { method: 'POST', headers: keys });
  });
  afterAll(() => gateway.stop());

  it.each([
    ['the bus', false],
    ['the owner', true],
  ])('504 where %s does not come back', async (_what, busIsBack) => {
    const owner = await standInCategories(gateway.nats.url);
    const isReady = async () => (await ask(`${gateway.origin}/readyz`)).status === 200;
    await waitFor(isReady, { what: 'the gateway on the bus' });
    const answer = create(gateway.base, keyed);
    await waitFor(() => owner.came.length > 0, { what: 'the attempt' });
    owner.goOn();
    await gateway.nats.kill();
    await owner.close();
    if (busIsBack) await gateway.nats.restart();
    expect(await answer).toMatchObject({ status: 504, body: { code: 'deadline_exceeded' } });
    if (!busIsBack) await gateway.nats.restart();
  });
});
