import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@joblisting/bus';
import { categoriesChanged } from '@joblisting/contracts';
import { type Background, createLog, ownCall } from '@joblisting/service-kit';
import { startNats, type TestNats, waitFor } from '@joblisting/testing';
import { serveStandIns, type ServedStandIns } from '@joblisting/testing/system';
import { categoriesClient } from '../src/clients/categories.ts';
import type { CategoryReference } from '../src/domain/categories.ts';
import { type Peers, referencesOf, standInPeers } from './peers.ts';

let nats: TestNats;
let bus: Bus;
let peers: Peers;
let served: ServedStandIns;
let categories: ReturnType<typeof categoriesClient>;
let loading: Background | undefined;
beforeEach(async () => {
  nats = await startNats();
  bus = await connectBus({ url: nats.url, name: 'test' });
  const stoodIn = standInPeers();
  ({ peers } = stoodIn);
  served = await serveStandIns(nats.url, 'peers', stoodIn.standIns);
  categories = categoriesClient(bus, createLog('jobs', 'silent'));
});
afterEach(async () => {
  await loading?.stop();
  loading = undefined;
  await bus.close();
  await served.close();
  await nats.stop();
});

const acquire = (...wanted: CategoryReference[]) =>
  categories.acquire({ companyId: 1, jobId: 7, version: 1, categories: wanted }, ownCall(2000));

describe('categoriesClient.acquire › system categories that are not loaded yet', () => {
  it('are loaded by the first job that has categories', async () => {
    expect((await acquire()).categories).toEqual([]);
    expect(peers.categoryRequests).toEqual([]);
    expect((await acquire({ id: 902 })).categories).toMatchObject([{ id: 902, name: 'System 902' }]);
    await acquire({ id: 901 });
    expect(peers.categoryRequests).toEqual(['list']);
  });

  it('are requested again by the next job after categories was unavailable', async () => {
    peers.categoriesAway = true;
    await expect(acquire({ id: 901 })).rejects.toMatchObject({ code: 'unavailable', reason: 'no_responder' });
    peers.categoriesAway = false;
    expect((await acquire({ id: 901 })).categories).toMatchObject([{ id: 901 }]);
  });
});

describe('categoriesClient.acquire › a loaded system category', () => {
  it.each([
    ['its id', { id: 901 }],
    ['its id, beside any name', { id: 901, name: 'ignored' }],
    ['its name, in any case and with any white space', { name: '\u00a0sYSTEM   901 ' }],
  ])('is found by %s', async (_how, reference) => {
    const { categories: found, commitBy } = await acquire(reference);
    expect(found).toEqual([{ id: 901, name: 'System 901', version: 1, created: false }]);
    expect(commitBy).toBe(Infinity);
    expect(peers.categoryRequests).toEqual(['list']);
  });

  it('is found by its name in another composition', async () => {
    peers.categories.set(903, { name: 'Caf\u00e9', version: 1, isSystem: true });
    expect((await acquire({ name: 'CAFE\u0301' })).categories).toMatchObject([{ id: 903 }]);
    expect(peers.categoryRequests).toEqual(['list']);
  });

  it('is sent along with a custom one, so that order and pointers are those of the job', async () => {
    const { categories: found, commitBy } = await acquire({ id: 901 }, { id: 1 }, { name: 'Rigging' });
    expect(found).toMatchObject([
      { id: 901, created: false },
      { id: 1, created: false },
      { name: 'Rigging', created: true },
    ]);
    expect(commitBy).toBeLessThanOrEqual(Date.now() + 15_000);
    expect(referencesOf(peers, 7)).toEqual([1, found[2]?.id]);
    await expect(acquire({ id: 901 }, { id: 99 })).rejects.toMatchObject({
      errors: [{ pointer: '#/categories/1/id', code: 'unknown_id' }],
    });
  });
});

describe('categoriesClient.acquire › a system category that was added since', () => {
  beforeEach(() => acquire({ id: 901 }));

  it('is resolved by categories, by id and by name', async () => {
    peers.categories.set(904, { name: 'Robotics', version: 1, isSystem: true });
    expect((await acquire({ id: 904 }, { name: 'Robotics' })).categories).toMatchObject([
      { id: 904, name: 'Robotics' },
      { id: 904, created: false },
    ]);
    expect(categories.isSystem({ id: 904 })).toBe(false);
  });

  it('is loaded after a notification of a change', async () => {
    loading = categories.start();
    await waitFor(() => peers.categoryRequests.length === 2, { what: 'the load at the start' });
    peers.categories.set(904, { name: 'Robotics', version: 1, isSystem: true });
    await bus.flush();
    bus.notify(categoriesChanged, {});
    await waitFor(() => categories.isSystem({ id: 904 }), { what: 'category 904 in memory' });
  });

  it('costs one load a second at most, however many notifications arrive', async () => {
    loading = categories.start();
    await waitFor(() => peers.categoryRequests.length === 2, { what: 'the load at the start' });
    await bus.flush();
    for (let hint = 0; hint < 10; hint++) {
      bus.notify(categoriesChanged, {});
      await delay(20);
    }
    await waitFor(() => peers.categoryRequests.length === 3, { what: 'the next load' });
    expect(peers.categoryRequests).toEqual(['list', 'list', 'list']);
  });
});
