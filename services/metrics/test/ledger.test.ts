import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MetricsEvent, MetricsReceipt } from '@joblisting/contracts';
import { prepareModels } from '@joblisting/service-kit';
import { keptAnswersIn } from '@joblisting/service-kit/mongo';
import { testClock } from '@joblisting/testing';
import { counterModel } from '../src/models/counter.ts';
import { dayModel } from '../src/models/day.ts';
import { seenEventModel } from '../src/models/seen-event.ts';
import { unsentModel } from '../src/models/unsent.ts';
import { ledger } from '../src/store/ledger.ts';
import { countedOf, type RunningMetrics, runMetrics, view } from './running-metrics.ts';

let metrics: RunningMetrics;
beforeAll(async () => {
  metrics = await runMetrics();
  const models = [counterModel, dayModel, seenEventModel, unsentModel];
  await prepareModels(models.map((model) => model(metrics.mongo)));
});
afterAll(() => metrics.stop());

const clock = testClock('2026-03-01T12:00:00Z');
const newLedger = () => ledger(metrics.mongo, keptAnswersIn(metrics.mongo, 'answers', clock), clock);

let jobs = 0;
const views = async (jobId: number) => (await countedOf(metrics.mongo)).get(jobId)?.view;
const record = async (
  { record }: ReturnType<typeof newLedger>,
  batches: readonly (readonly MetricsEvent[])[],
): Promise<MetricsReceipt[]> => {
  const sent = batches.map((events) => ({ sender: 's', events }));
  const jobIds = new Set(batches.flat().map(({ jobId }) => jobId));
  return (await record(sent, jobIds, Date.now() + 10_000)) as MetricsReceipt[];
};
const receipt = (accepted: number, duplicates: number) => ({ accepted, duplicates, rejected: [] });

describe('an id that was counted before', () => {
  it.each([0, 1, 2])('counts no more, as number %d of a batch', async (place) => {
    const jobId = ++jobs;
    const events = [0, 1, 2].map((index) => view(`${jobId}-${index}`, jobId));
    const old = view(`${jobId}-${place}`, jobId);
    await seenEventModel(metrics.mongo).insertOne({ _id: `s:${old.id}`, at: new Date() });
    const one = newLedger();
    expect(await record(one, [events, [old, view(`${jobId}-more`, jobId)]])).toEqual([
      receipt(2, 1),
      receipt(1, 1),
    ]);
    expect(await views(jobId)).toBe(3);
    expect(await record(one, [events])).toEqual([receipt(0, 3)]);
    expect(await record(newLedger(), [events])).toEqual([receipt(0, 3)]);
    expect(await views(jobId)).toBe(3);
  });

  it('counts once where replicas count it at the same time', async () => {
    for (let race = 0; race < 10; race++) {
      const jobId = ++jobs;
      const events = Array.from({ length: 50 }, (_, index) => view(`${jobId}-${index}`, jobId));
      const all = await Promise.all(
        [0, 10, 20].map((from) => record(newLedger(), [events.slice(from, from + 30)])),
      );
      expect(all.flat().reduce((sum, { accepted }) => sum + accepted, 0)).toBe(50);
      expect(await views(jobId)).toBe(50);
    }
  });
});

describe('the ids of counted events', () => {
  it('are remembered for 7 days at least', async () => {
    const indexes = await seenEventModel(metrics.mongo).listIndexes();
    const expiry = indexes.find(({ key }) => 'at' in key);
    expect(expiry).toMatchObject({ key: { at: 1 } });
    expect(expiry?.['expireAfterSeconds']).toBeGreaterThanOrEqual(7 * 24 * 60 * 60);
  });
});
