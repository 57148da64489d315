import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MetricsBatch, metricsReported } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { countedOf, type RunningMetrics, runMetrics, send, view } from './running-metrics.ts';

let metrics: RunningMetrics;
beforeAll(async () => {
  metrics = await runMetrics();
  metrics.jobs.existing.add(1).add(2).add(3);
  await metrics.addReplica();
});
afterAll(() => metrics.stop());

let messages = 0;
const report = (events: readonly unknown[]) =>
  metrics.bus.publishEvent(metricsReported, { events } as MetricsBatch, `report-${messages++}`);
const views = async (jobId: number) => (await countedOf(metrics.mongo)).get(jobId)?.view;

describe('events reported on the bus', () => {
  it('are counted by the same rules', async () => {
    await report([view('a1'), view('a2'), view('a2'), view('a3', 99)]);
    await waitFor(async () => (await views(1)) === 2, { what: 'two views' });
    // The ids of a consumer are its own.
    expect(await send(metrics.bus, [view('a1'), view('a1')])).toMatchObject({ accepted: 1, duplicates: 1 });
  });

  it('are counted once, though the message comes twice', async () => {
    await report([view('b1', 2), view('b2', 2)]);
    await report([view('b1', 2), view('b2', 2)]);
    await report([view('b3', 2)]);
    await waitFor(async () => (await views(2)) === 3, { what: 'three views' });
  });

  it.each([
    ['a wrong shape', [{ id: 'c1', jobId: 'x', type: 'view' }]],
    ['nothing', []],
    ['too many', Array.from({ length: 1001 }, (_, index) => view(`c${index}`))],
  ])('are dropped when they hold %s, and delay nothing after them', async (what, events) => {
    const before = (await views(3)) ?? 0;
    await report(events);
    await report([view(`behind ${what}`, 3)]);
    await waitFor(async () => (await views(3)) === before + 1, { what: 'the one behind' });
  });

  it('wait while jobs is unavailable', async () => {
    const before = Number(await views(1));
    await metrics.jobs.leave();
    await report([view('d1')]);
    await metrics.jobs.join();
    await waitFor(async () => (await views(1)) === before + 1, { what: 'one more view' });
  });
});
