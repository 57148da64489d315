import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type JobMetrics,
  type MetricsEvent,
  type MetricsReceipt,
  metricsReported,
  ServiceError,
} from '@joblisting/contracts';
import { seededRandom, waitFor } from '@joblisting/testing';
import { type Counts, increments } from '../src/domain/tally.ts';
import { seenEventModel } from '../src/models/seen-event.ts';
import { countedOf, readSeries, type RunningMetrics, runMetrics, send, sumOf } from './running-metrics.ts';

const JOBS = 20;
/** More than a job's series tells apart. */
const SOURCES = 60;
const DAY_MS = 24 * 3600_000;
const types = ['view', 'application', 'clickThrough'] as const;

let metrics: RunningMetrics;
beforeEach(async () => {
  metrics = await runMetrics();
  for (let jobId = 1; jobId <= JOBS; jobId++) metrics.jobs.existing.add(jobId);
  await Promise.all([metrics.addReplica(), metrics.addReplica()]);
});
afterEach(() => metrics.stop());

const pick = (random: () => number, below: number) => Math.floor(random() * below);

/** Some of them with a source or an instant of their own, up to 9 days ago. */
function someEvents(count: number, random: () => number): MetricsEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `event-${index}`,
    jobId: 1 + pick(random, JOBS),
    type: types[index % types.length] ?? 'view',
    ...(random() < 0.5 && { source: `source-${pick(random, SOURCES)}` }),
    ...(random() < 0.5 && { at: new Date(metrics.clock.now() - random() * 9 * DAY_MS).toISOString() }),
  }));
}

/** Batches of any size that hold each event at least once, many of them again elsewhere, in any order. */
function overlappingBatches(events: readonly MetricsEvent[], random: () => number): MetricsEvent[][] {
  const batches: MetricsEvent[][] = [];
  for (let from = 0; from < events.length;) {
    const size = 1 + pick(random, 200);
    const batch = events.slice(from, from + size);
    batches.push(batch);
    if (random() < 0.3) batches.push(batch);
    if (random() < 0.3) batches.push(events.slice(Math.max(0, from - 50), from + 50));
    from += size;
  }
  return batches.toSorted(() => random() - 0.5);
}

/** Sends until it is known to be counted, as a sender does whose answers get lost. */
async function sendUntilAnswered(batch: readonly MetricsEvent[]): Promise<MetricsReceipt> {
  return waitFor(
    () =>
      send(metrics.bus, batch).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code !== 'internal') return undefined;
        throw error;
      }),
    { what: 'a receipt', limitMs: 25_000 },
  );
}

async function sendAll(batches: readonly (readonly MetricsEvent[])[], senders: number) {
  const receipts: MetricsReceipt[] = [];
  const left = [...batches];
  const sender = async () => {
    for (let batch = left.pop(); batch; batch = left.pop()) receipts.push(await sendUntilAnswered(batch));
  };
  await Promise.all(Array.from({ length: senders }, sender));
  return receipts;
}

/** The series of all jobs, each of which must add up to the counts of the same moment. */
async function checkedSeries(): Promise<Map<number, JobMetrics>> {
  const all = new Map<number, JobMetrics>();
  for (let jobId = 1; jobId <= JOBS; jobId++) {
    const metricsOfJob = await readSeries(metrics.bus, jobId);
    const { counts, outside, series } = metricsOfJob;
    const { views: view, applications: application, clickThroughs: clickThrough } = counts;
    expect(sumOf(metricsOfJob)).toEqual({ view, application, clickThrough });
    expect(outside).toEqual({ views: 0, applications: 0, clickThroughs: 0 });
    expect(new Set(series.map(({ source }) => source)).size).toBeLessThanOrEqual(52);
    all.set(jobId, metricsOfJob);
  }
  return all;
}

/** Reads series until the work is done. */
async function checkSeriesDuring(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const end = () => void (isDone = true);
  work.then(end, end);
  while (!isDone) await checkedSeries();
}

const expectedOf = (events: readonly MetricsEvent[]) =>
  new Map(increments(events).map(({ jobId, ...counts }): [number, Counts] => [jobId, counts]));

describe('counts', () => {
  it('equal the distinct ids of overlapping batches that race in two replicas', async () => {
    const random = seededRandom(1);
    const events = someEvents(3000, random);
    const batches = overlappingBatches(events, random);
    const sending = sendAll(batches, 40);
    await checkSeriesDuring(sending);
    const receipts = await sending;
    const expected = expectedOf(events);
    expect(await countedOf(metrics.mongo)).toEqual(expected);
    const series = await checkedSeries();
    expect(new Map([...series].map(([jobId, one]) => [jobId, sumOf(one)]))).toEqual(expected);
    expect(await seenEventModel(metrics.mongo).countDocuments()).toBe(events.length);
    const sum = (of: (receipt: MetricsReceipt) => number) =>
      receipts.reduce((total, one) => total + of(one), 0);
    expect(sum(({ accepted }) => accepted)).toBe(events.length);
    expect(sum(({ duplicates }) => duplicates)).toBe(batches.flat().length - events.length);
    await waitFor(() => expect(metrics.jobs.counts).toEqual(expected) === undefined, {
      what: 'the jobs to show them',
    });
  });

  it('equal the distinct ids over HTTP and bus while a replica restarts', async () => {
    const random = seededRandom(2);
    const events = someEvents(2000, random);
    const [reported, sent] = [events.slice(0, 1000), events.slice(1000)];
    const report = async () => {
      for (const [index, batch] of overlappingBatches(reported, random).entries()) {
        await metrics.bus.publishEvent(metricsReported, { events: batch }, `report-${index}`);
      }
    };
    const restart = async () => {
      const replica = await metrics.addReplica();
      await waitFor(async () => (await seenEventModel(metrics.mongo).countDocuments()) > 500, {
        what: 'some counts',
      });
      await replica.stop();
      await metrics.addReplica();
    };
    await Promise.all([sendAll(overlappingBatches(sent, random), 10), report(), restart()]);
    const expected = expectedOf(events);
    await waitFor(async () => (await seenEventModel(metrics.mongo).countDocuments()) === events.length, {
      what: 'all reports',
      limitMs: 25_000,
    });
    expect(await countedOf(metrics.mongo)).toEqual(expected);
    const series = await checkedSeries();
    expect(new Map([...series].map(([jobId, one]) => [jobId, sumOf(one)]))).toEqual(expected);
  });
});
