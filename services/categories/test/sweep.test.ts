import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { client, collections, runCategories, type Running } from './running-categories.ts';

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
    { what: 'the sweep to drop the reference' },
  );

describe('sweep › drops what a crash before the commit left', () => {
  it('of a new job', async () => {
    const { id } = await api.create();
    await api.acquire(1, [{ id }]);
    running.clock.advance(MINUTE_MS);
    await waitFor(() => isDropped(id), { what: 'the sweep to drop the reference' });
    expect(await api.references(id)).toEqual(none);
  });

  it('of a later version, and keeps what the job has', async () => {
    const [before, after] = [await api.create(), await api.create()];
    await api.acquire(2, [{ id: before.id }]);
    running.jobs.held.set(2, { version: 1, categoryIds: [before.id] });
    await api.acquire(2, [{ id: before.id }, { id: after.id }], { version: 2 });
    running.clock.advance(MINUTE_MS);
    await waitFor(() => isDropped(after.id), { what: 'the sweep to drop the reference' });
    await swept();
    expect(await api.references(before.id)).toEqual({ counted: 1, written: 1 });
  });
});

describe('sweep › drops what a crash before the release left', () => {
  it('within a day', async () => {
    const { id } = await api.create();
    await api.acquire(3, [{ id }]);
    running.jobs.held.set(3, { version: 1, categoryIds: [id] });
    running.clock.advance(MINUTE_MS);
    await swept();
    running.jobs.held.set(3, { version: 2, categoryIds: [] });
    running.clock.advance(DAY_MS);
    await waitFor(() => isDropped(id), { what: 'the sweep to drop the reference' });
  });
});

describe('sweep › leaves alone', () => {
  it('a reference that may still be committed', async () => {
    const { id } = await api.create();
    await api.acquire(4, [{ id }]);
    running.clock.advance(MINUTE_MS - 1);
    const { id: older } = await api.create();
    await api.acquire(5, [{ id: older }]);
    running.clock.advance(1);
    await waitFor(() => isDropped(id), { what: 'the sweep to drop the reference' });
    expect(await api.references(older)).toEqual({ counted: 1, written: 1 });
  });

  it('everything, while jobs does not answer', async () => {
    const { id } = await api.create();
    await api.acquire(6, [{ id }]);
    running.jobs.fault = new ServiceError('internal');
    running.clock.advance(MINUTE_MS);
    await expect(waitFor(() => isDropped(id), { limitMs: 200, what: 'the sweep' })).rejects.toThrow('Waited');
    running.jobs.fault = undefined;
    await waitFor(() => isDropped(id), { what: 'the sweep to drop the reference' });
  });
});

describe('sweep › a reference that is acquired again while the sweep waits for jobs', () => {
  /** Runs `work` while the sweep waits for a reply of `jobs` that was made before that work. */
  async function whileSweepWaits(work: () => Promise<void>) {
    const reached = Promise.withResolvers<void>();
    const worked = Promise.withResolvers<void>();
    running.jobs.before = async () => {
      reached.resolve();
      await worked.promise;
    };
    running.clock.advance(MINUTE_MS);
    await reached.promise;
    await work();
    running.jobs.before = undefined;
    worked.resolve();
  }

  it.each([
    ['a later version', 2],
    ['the same version', 1],
  ])('stays, acquired for %s', async (_what, version) => {
    const [again, dead] = [await api.create(), await api.create()];
    await api.acquire(8, [{ id: again.id }]);
    await api.acquire(9, [{ id: dead.id }]);
    await whileSweepWaits(async () => void (await api.acquire(8, [{ id: again.id }], { version })));
    await waitFor(() => isDropped(dead.id), { what: 'the sweep of the other reference' });
    expect(await api.references(again.id)).toEqual({ counted: 1, written: 1 });
  });

  it('is checked again after a minute, not after a day', async () => {
    const [again, other] = [await api.create(), await api.create()];
    for (const [jobId, { id }] of [[8, again] as const, [9, other] as const]) {
      await api.acquire(jobId, [{ id }]);
      running.jobs.held.set(jobId, { version: 1, categoryIds: [id] });
    }
    await whileSweepWaits(async () => void (await api.acquire(8, [{ id: again.id }], { version: 2 })));
    const { references } = collections(running.mongo);
    const inADay = new Date(running.clock.now() + DAY_MS);
    const isConfirmed = async () =>
      (await references.countDocuments({ categoryId: other.id, checkAt: inADay })) === 1;
    await waitFor(isConfirmed, { what: 'the sweep to confirm the other reference' });
    running.jobs.held.set(8, { version: 2, categoryIds: [] });
    running.clock.advance(MINUTE_MS);
    await waitFor(() => isDropped(again.id), { what: 'the sweep to drop the reference' });
  });
});

describe('sweep › references to system categories, of an earlier version of this service', () => {
  it('drops them, whatever categories the jobs have', async () => {
    running.jobs.held.set(7, { version: 1, categoryIds: [5] });
    await api.leaveReferences(5, [7]);
    await waitFor(() => isDropped(5), { what: 'the sweep to drop the reference' });
    expect(await api.references(5)).toEqual(none);
  });
});

describe('sweep › on two replicas', () => {
  it('drops each of 1,500 references once', async () => {
    const { id } = await api.create();
    const jobs = Array.from({ length: 1500 }, (_, index) => 10_000 + index);
    for (const job of jobs.slice(0, 300)) running.jobs.held.set(job, { version: 1, categoryIds: [id] });
    await api.leaveReferences(id, jobs);
    await waitFor(async () => (await api.references(id)).written === 300, {
      what: 'the sweep to drop the reference',
    });
    await swept();
    expect(await api.references(id)).toEqual({ counted: 300, written: 300 });
  });
});
