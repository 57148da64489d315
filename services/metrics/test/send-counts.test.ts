import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { INT32_MAX } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { type RunningMetrics, runMetrics, send, view } from './running-metrics.ts';
import { counterModel } from '../src/models/counter.ts';
import { unsentModel } from '../src/models/unsent.ts';

let metrics: RunningMetrics;
beforeAll(async () => {
  metrics = await runMetrics();
});
afterAll(() => metrics.stop());

const counters = () => counterModel(metrics.mongo);
const unsent = () => unsentModel(metrics.mongo);
const shown = (jobId: number) => metrics.jobs.counts.get(jobId)?.view;

describe('sending counts', () => {
  it('shows the totals on the jobs soon', async () => {
    await metrics.addReplica();
    metrics.jobs.existing.add(1);
    await send(metrics.bus, [view('a1'), view('a2')]);
    await waitFor(() => shown(1) === 2, { what: 'two views', limitMs: 2000 });
    await send(metrics.bus, [view('a3')]);
    await waitFor(() => shown(1) === 3, { what: 'three views', limitMs: 2000 });
    await waitFor(async () => (await unsent().countDocuments()) === 0, { what: 'no mark' });
  });

  it('shows what another replica left behind, in more than one message', async () => {
    const left = Array.from({ length: 2500 }, (_, index) => ({
      _id: 1000 + index,
      view: index,
      application: 0,
      clickThrough: 0,
    }));
    for (const { _id } of left) metrics.jobs.existing.add(_id);
    await counters().insertMany(left);
    await unsent().insertMany([
      { jobIds: left.slice(0, 2000).map(({ _id }) => _id) },
      { jobIds: left.slice(1500).map(({ _id }) => _id) },
    ]);
    await metrics.addReplica();
    await waitFor(() => shown(3499) === 2499, { what: 'the last one' });
    expect(shown(1001)).toBe(1);
    await waitFor(async () => (await unsent().countDocuments()) === 0, { what: 'no mark' });
  });

  it('shows no more than an Int32 holds', async () => {
    metrics.jobs.existing.add(2);
    await counters().insertOne({ _id: 2, view: INT32_MAX, application: 0, clickThrough: 0 });
    expect(await send(metrics.bus, [view('b1', 2), view('b2', 2)])).toMatchObject({ accepted: 2 });
    await waitFor(() => shown(2) === INT32_MAX, { what: 'the largest count' });
    expect(await counters().findById(2).lean()).toMatchObject({ view: INT32_MAX + 2 });
  });
});
