import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import type { JobCounts } from '../src/domain/tally.ts';
import { additionStore } from '../src/store/additions.ts';
import { additionsOf, countersOf } from '../src/store/collections.ts';
import { countedOf, type RunningMetrics, runMetrics, send, view } from './running-metrics.ts';

let metrics: RunningMetrics;
beforeAll(async () => {
  metrics = await runMetrics();
});
beforeEach(async () => {
  await Promise.all([counters().deleteMany(), rows().deleteMany()]);
});
afterAll(() => metrics.stop());

const counters = () => countersOf(metrics.mongo);
const rows = () => additionsOf(metrics.mongo);
const views = (jobId: number, view = 1): JobCounts => ({ jobId, view, application: 0, clickThrough: 0 });
const jobsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => views(first + index));
const viewsInTotals = async (jobId: number) => (await counters().findOne({ _id: jobId }))?.view;
const shown = (jobId: number) => metrics.jobs.counts.get(jobId)?.view;

/** What one replica adds, each element in a transaction of its own. */
async function addAll(store: ReturnType<typeof additionStore>, all: readonly JobCounts[][]): Promise<void> {
  for (const adds of all) {
    await inTransaction(metrics.mongo, Date.now() + 5000, (session) => store.add(adds, session));
    store.added(adds.length);
  }
}

describe('additions', () => {
  it('are folded into the totals that there are, and into new ones, and are gone then', async () => {
    const store = additionStore(metrics.mongo);
    await counters().insertOne({ _id: 1, view: 5, application: 2, clickThrough: 0 });
    await addAll(store, [[views(1), views(2)], [views(1, 3)]]);
    await store.fold();
    expect(await counters().find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, view: 9, application: 2, clickThrough: 0, dirty: true },
      { _id: 2, view: 1, application: 0, clickThrough: 0, dirty: true },
    ]);
    expect(await rows().countDocuments()).toBe(0);
    await store.fold();
    expect(await viewsInTotals(1)).toBe(9);
  });

  it('are folded once by replicas that race, while an earlier release raises the same totals', async () => {
    const stores = [1, 2, 3].map(() => additionStore(metrics.mongo));
    const raise = async () => {
      for (let time = 0; time < 30; time++) {
        await counters().updateOne(
          { _id: 1 },
          { $inc: { view: 1, application: 0, clickThrough: 0 }, $set: { dirty: true } },
          { upsert: true },
        );
      }
    };
    const race = stores.flatMap((store) => [
      addAll(
        store,
        Array.from({ length: 30 }, () => [views(1), views(2)]),
      ),
      store.fold(),
    ]);
    await Promise.all([...race, raise()]);
    await Promise.all(stores.map(({ fold }) => fold()));
    expect([await viewsInTotals(1), await viewsInTotals(2)]).toEqual([120, 90]);
    expect(await rows().countDocuments()).toBe(0);
  });

  it('are folded however many there are, in more than one transaction', async () => {
    const store = additionStore(metrics.mongo);
    await addAll(store, [jobsFrom(1, 1500), jobsFrom(501, 1500), jobsFrom(1501, 1500)]);
    expect(await rows().countDocuments()).toBe(6);
    await store.fold();
    expect(await counters().countDocuments()).toBe(3000);
    expect([await viewsInTotals(1), await viewsInTotals(1001), await viewsInTotals(3000)]).toEqual([1, 2, 1]);
  });

  it('stay where a total cannot be raised, and nothing of them is counted', async () => {
    const store = additionStore(metrics.mongo);
    await counters().insertOne({ _id: 2, view: 'broken' as never, application: 0, clickThrough: 0 });
    await addAll(store, [[views(1), views(2)]]);
    await expect(store.fold()).rejects.toThrow('Cannot apply $inc');
    expect([await viewsInTotals(1), await rows().countDocuments()]).toEqual([undefined, 1]);
    await counters().updateOne({ _id: 2 }, { $set: { view: 0 } });
    await store.fold();
    expect([await viewsInTotals(1), await viewsInTotals(2)]).toEqual([1, 1]);
  });

  it('are folded before more are written where many wait', async () => {
    const store = additionStore(metrics.mongo);
    await addAll(
      store,
      Array.from({ length: 19 }, () => jobsFrom(1, 1000)),
    );
    await store.makeRoom();
    expect(await rows().countDocuments()).toBe(19);
    await addAll(store, [jobsFrom(1, 1000)]);
    await store.makeRoom();
    expect(await rows().countDocuments()).toBe(0);
    await addAll(store, [[views(1)]]);
    await store.makeRoom();
    expect(await rows().countDocuments()).toBe(1);
  });
});

describe('a replica', () => {
  it('shows what one that was killed has counted and not folded', async () => {
    metrics.jobs.existing.add(11);
    await rows().insertMany([{ adds: [views(11, 4)] }, { adds: [views(11)] }]);
    await metrics.addReplica();
    await waitFor(() => shown(11) === 5, { what: 'all five', limitMs: 5000 });
  });

  it('shows what was folded before, though something cannot be', async () => {
    for (const jobId of [13, 14]) metrics.jobs.existing.add(jobId);
    await counters().insertMany([
      { _id: 13, view: 5, application: 0, clickThrough: 0, dirty: true },
      { _id: 14, view: 'broken' as never, application: 0, clickThrough: 0 },
    ]);
    await rows().insertOne({ adds: [views(14)] });
    await metrics.addReplica();
    await waitFor(() => shown(13) === 5, { what: 'the counts of the other job', limitMs: 5000 });
  });

  it('leaves totals alone when it stops, as an earlier release knows nothing else', async () => {
    const replica = await metrics.addReplica({ FLUSH_EVERY_MS: '60000' });
    metrics.jobs.existing.add(12);
    await send(metrics.bus, [view('stopped-1', 12), view('stopped-2', 12)]);
    await replica.stop();
    expect(await viewsInTotals(12)).toBe(2);
    expect((await countedOf(metrics.mongo)).get(12)?.view).toBe(2);
    expect(await rows().countDocuments()).toBe(0);
  });
});
