import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type MetricsBatch, metricsReported } from '@joblisting/contracts';
import { createLog, type Log } from '@joblisting/service-kit';
import { freePort, waitFor } from '@joblisting/testing';
import { countedOf, readSeries, type RunningMetrics, runMetrics, send, view } from './running-metrics.ts';

const SECRET = 'a value that no log may hold';
const warn = jest.fn();

let metrics: RunningMetrics;
let healthPort: number;
beforeAll(async () => {
  metrics = await runMetrics(Object.assign(Object.create(createLog('metrics', 'silent')) as Log, { warn }));
  metrics.jobs.existing.add(1).add(2).add(3).add(4);
  healthPort = await freePort();
  await metrics.addReplica({ HEALTH_PORT: `${healthPort}` });
});
afterAll(() => metrics.stop());

let messages = 0;
const report = (events: readonly unknown[]) =>
  metrics.bus.publishEvent(metricsReported, { events } as MetricsBatch, `report-${messages++}`);
const views = async (jobId: number) => (await countedOf(metrics.mongo)).get(jobId)?.view;
const invalidEvents = async () => {
  const exposed = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
  return Number(/^counting_invalid_events_total (\d+)$/m.exec(exposed)?.[1]);
};

describe('events reported on the bus', () => {
  it('are counted by the same rules', async () => {
    await report([view('a1'), view('a2'), view('a2'), view('a3', 99)]);
    await waitFor(async () => (await views(1)) === 2, { what: 'two views' });
    // The ids of a consumer are its own.
    expect(await send(metrics.bus, [view('a1'), view('a1')])).toMatchObject({ accepted: 1, duplicates: 1 });
  });

  it('are counted by source', async () => {
    await report([{ ...view('f1', 4), source: 'site' }, view('f2', 4)]);
    await waitFor(async () => (await views(4)) === 2, { what: 'two views' });
    const { series } = await readSeries(metrics.bus, 4);
    expect(series.map(({ source, views }) => [source, views])).toEqual([
      [null, 1],
      ['site', 1],
    ]);
  });

  it('are counted once, though the message comes twice', async () => {
    await report([view('b1', 2), view('b2', 2)]);
    await report([view('b1', 2), view('b2', 2)]);
    await report([view('b3', 2)]);
    await waitFor(async () => (await views(2)) === 3, { what: 'three views' });
  });

  it('are counted without those that break the schema, which are logged and counted apart', async () => {
    const before = (await views(3)) ?? 0;
    warn.mockClear();
    await report([
      view('e1', 3),
      { id: SECRET, jobId: 3, type: SECRET },
      5,
      view('e2', 3),
      { ...view('e3', 3), at: SECRET },
    ]);
    await waitFor(async () => (await views(3)) === before + 2, { what: 'the two valid views' });
    await waitFor(() => warn.mock.calls.length === 1, { what: 'the warning' });
    expect(warn).toHaveBeenCalledWith(
      {
        subject: metricsReported.subject,
        invalid: 3,
        first: ['#/events/1/type', '#/events/2', '#/events/4/at'].map((pointer) => ({
          pointer,
          detail: expect.any(String),
        })),
      },
      'events break their schema',
    );
    expect(JSON.stringify(warn.mock.calls)).not.toContain(SECRET);
    expect(await invalidEvents()).toBe(3);
  });

  it.each([
    ['only events of a wrong shape', [{ id: 'c1', jobId: 'x', type: 'view' }]],
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
