import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { collections } from '../src/store/collections.ts';
import { client, type Running, runCategories } from './running-categories.ts';

const AT_ONCE = 150;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runCategories({ SWEEP_EVERY_MS: '20' });
  await running.addReplica();
  api = client(running);
});
afterAll(() => running.stop());
beforeEach(() => running.jobs.held.clear());

const none = { counted: 0, written: 0 };
const isDropped = async (id: number) => (await api.references(id)).written === 0;
/** The sweep has looked at every reference that was due. */
const swept = () =>
  waitFor(
    async () => {
      const { references } = collections(running.mongo);
      return !(await references.findOne({ checkAt: { $lte: new Date(running.clock.now()) } }));
    },
    { what: 'the sweep' },
  );

describe('a crash between acquiring and committing', () => {
  it('of a new job leaves nothing behind', async () => {
    const { id } = await api.create();
    await api.acquire(1, [{ id }]);
    running.clock.advance(MINUTE_MS);
    await waitFor(() => isDropped(id), { what: 'the sweep' });
    expect(await api.references(id)).toEqual(none);
  });

  it('of a later version leaves nothing behind, and keeps what the job has', async () => {
    const [before, after] = [await api.create(), await api.create()];
    await api.acquire(2, [{ id: before.id }]);
    running.jobs.held.set(2, { version: 1, categoryIds: [before.id] });
    await api.acquire(2, [{ id: before.id }, { id: after.id }], { version: 2 });
    running.clock.advance(MINUTE_MS);
    await waitFor(() => isDropped(after.id), { what: 'the sweep' });
    await swept();
    expect(await api.references(before.id)).toEqual({ counted: 1, written: 1 });
  });
});

describe('a crash between committing and releasing', () => {
  it('is found within a day', async () => {
    const { id } = await api.create();
    await api.acquire(3, [{ id }]);
    running.jobs.held.set(3, { version: 1, categoryIds: [id] });
    running.clock.advance(MINUTE_MS);
    await swept();
    running.jobs.held.set(3, { version: 2, categoryIds: [] });
    running.clock.advance(DAY_MS);
    await waitFor(() => isDropped(id), { what: 'the sweep' });
  });
});

describe('what the sweep leaves alone', () => {
  it('is a reference that may still be committed', async () => {
    const { id } = await api.create();
    await api.acquire(4, [{ id }]);
    running.clock.advance(MINUTE_MS - 1);
    const { id: older } = await api.create();
    await api.acquire(5, [{ id: older }]);
    running.clock.advance(1);
    await waitFor(() => isDropped(id), { what: 'the sweep' });
    expect(await api.references(older)).toEqual({ counted: 1, written: 1 });
  });

  it('is everything, while jobs does not answer', async () => {
    const { id } = await api.create();
    await api.acquire(6, [{ id }]);
    running.jobs.fault = new ServiceError('internal');
    running.clock.advance(MINUTE_MS);
    await expect(waitFor(() => isDropped(id), { limitMs: 200, what: 'the sweep' })).rejects.toThrow('Waited');
    running.jobs.fault = undefined;
    await waitFor(() => isDropped(id), { what: 'the sweep' });
  });
});

describe('many references', () => {
  it('are dropped exactly once by two replicas at once', async () => {
    const { id } = await api.create();
    const jobs = Array.from({ length: 1500 }, (_, index) => 10_000 + index);
    for (let from = 0; from < jobs.length; from += AT_ONCE) {
      await Promise.all(jobs.slice(from, from + AT_ONCE).map((job) => api.acquire(job, [{ id }])));
    }
    for (const job of jobs.slice(0, 300)) running.jobs.held.set(job, { version: 1, categoryIds: [id] });
    running.clock.advance(MINUTE_MS);
    await waitFor(async () => (await api.references(id)).written === 300, { what: 'the sweep' });
    await swept();
    expect(await api.references(id)).toEqual({ counted: 300, written: 300 });
  });
});
