import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { forgetJobs } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import { type RunningMetrics, runMetrics, send, view } from './running-metrics.ts';
import { counterModel } from '../src/models/counter.ts';
import { dayIds, dayModel } from '../src/models/day.ts';
import { unsentModel } from '../src/models/unsent.ts';

let metrics: RunningMetrics;
beforeAll(async () => {
  metrics = await runMetrics();
  metrics.jobs.existing.add(1).add(2);
  await metrics.addReplica();
});
afterAll(() => metrics.stop());

const forget = async (jobIds: number[]) =>
  (await metrics.bus.request(forgetJobs, { body: { jobIds }, context: ownCall(5000) })).data.forgotten;
const counters = () => counterModel(metrics.mongo);
const days = (jobId: number) => dayModel(metrics.mongo).countDocuments({ _id: dayIds(jobId) });

describe('forgetJobs', () => {
  it('drops the counters of these jobs and of no other', async () => {
    await send(metrics.bus, [view('a1', 1), view('a2', 2)]);
    await waitFor(() => metrics.jobs.counts.size === 2, { what: 'the totals' });
    expect([await days(1), await days(2)]).toEqual([1, 1]);
    expect(await forget([1, 99])).toBe(1);
    expect([await days(1), await days(2)]).toEqual([0, 1]);
    expect(await counters().findById(1).lean()).toBeNull();
    expect(await counters().findById(2).lean()).toMatchObject({ view: 1 });
    expect(await forget([1])).toBe(0);
  });

  it('remembers the ids of their events', async () => {
    expect(await send(metrics.bus, [view('a1', 1)])).toMatchObject({ accepted: 0, duplicates: 1 });
  });

  it('drops the counters of jobs that turn out deleted', async () => {
    metrics.jobs.existing.add(5);
    await metrics.jobs.leave();
    await counters().insertOne({ _id: 5, view: 1, application: 0, clickThrough: 0 });
    await unsentModel(metrics.mongo).insertOne({ jobIds: [5] });
    metrics.jobs.existing.delete(5);
    await metrics.jobs.join();
    await waitFor(async () => (await counters().findById(5).lean()) === null, { what: 'the counter to go' });
  });

  it('drops the days that an interrupted one left, once their job has a mark', async () => {
    const empty = { view: 1, application: 0, clickThrough: 0 };
    await dayModel(metrics.mongo).insertOne({ _id: '6:2026-03-10:', ...empty });
    await unsentModel(metrics.mongo).insertOne({ jobIds: [6] });
    await waitFor(async () => (await days(6)) === 0, { what: 'the days to go' });
  });
});
