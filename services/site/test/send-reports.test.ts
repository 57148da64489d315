import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { apiClient } from '../src/clients/api.ts';
import { reportModel } from '../src/models/report.ts';
import { reportStore, type ReportStore } from '../src/store/report-store.ts';
import { reportOutcomes, sendingReports } from '../src/tasks/send-reports.ts';
import { createLog, createMetrics, type Metrics, type Mongo, prepareModels } from '@joblisting/service-kit';
import { connectMongo } from '@joblisting/service-kit/mongo';
import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { type ApiServer, KEY, startApiServer } from './api-server.ts';

const log = createLog('site', 'silent');
const AT = Date.parse('2026-03-10T15:15:00Z');

let api: ApiServer;
let mongo: Mongo;
let database: string;
let reports: ReportStore;
let metrics: Metrics;
beforeEach(async () => {
  api = await startApiServer();
  database = `${databasePrefix()}reports`;
  mongo = await connectMongo(testMongoUri(), database);
  await prepareModels([reportModel(mongo)]);
  reports = reportStore(mongo, 5000);
  metrics = createMetrics();
});
afterEach(async () => {
  await api.stop();
  await dropDatabase(database);
  await mongo.close();
});

/** One process that sends. */
function sender(env: { CONSUMER_KEY?: string } = { CONSUMER_KEY: KEY }) {
  const stopping = new AbortController();
  metrics = createMetrics();
  const outcomes = reportOutcomes(metrics, reports, { now: () => AT + 61_000 });
  const client = apiClient({ API_URL: api.url, ...env });
  const run = sendingReports({ reports, api: client, log, outcomes, stopping: stopping.signal });
  return { run, stop: () => stopping.abort() };
}

const event = (number: number, jobId = 1) =>
  ({ id: `view:${number}`, jobId, type: 'view', at: AT + number }) as const;
const add = async (count: number) => {
  for (let number = 0; number < count; number += 1) await reports.add(event(number));
};
const metric = async (line: string) => (await metrics.registry.metrics()).includes(`\n${line}\n`);

describe('reports', () => {
  it('that wait are a metric, with the age of the oldest', async () => {
    sender();
    expect(await metric('site_report_oldest_waiting_seconds 0')).toBe(true);
    await reports.add(event(2000));
    await reports.add(event(1000));
    expect(await metric('site_reports_waiting 2')).toBe(true);
    expect(await metric('site_report_oldest_waiting_seconds 60')).toBe(true);
  });

  it('go out oldest first in batches of 1,000, and are deleted', async () => {
    await mongo.collection<{ _id: string }>('reports').insertMany(
      Array.from({ length: 2500 }, (_, number) => {
        const { id, ...rest } = event(number);
        return { _id: id, ...rest, at: new Date(rest.at) };
      }),
    );
    await sender().run();
    expect(api.batches).toEqual([1000, 1000, 500]);
    expect([...api.events.keys()].slice(0, 2)).toEqual(['view:0', 'view:1']);
    expect(api.events.get('view:7')).toEqual({
      type: 'view',
      jobId: 1,
      at: '2026-03-10T15:15:00.007Z',
      times: 1,
    });
    expect(await reports.waiting()).toBe(0);
    expect(await metric('site_reports_total{outcome="accepted"} 2500')).toBe(true);
    expect(api.faults).toEqual([]);
  });

  it('go out again with the same ids after a crash between send and delete', async () => {
    await add(3);
    const crashed = sender();
    const { promise: executed, resolve } = Promise.withResolvers<void>();
    // The API has counted, and the process ends before its answer.
    api.onExecuted(async () => {
      crashed.stop();
      resolve();
      await delay(50);
    });
    await crashed.run();
    await executed;
    expect(await reports.waiting()).toBe(3);
    api.onExecuted(async () => undefined);
    await sender().run();
    expect([...api.events].map(([id, { times }]) => [id, times])).toEqual([
      ['view:0', 2],
      ['view:1', 2],
      ['view:2', 2],
    ]);
    expect(await reports.waiting()).toBe(0);
    expect(await metric('site_reports_total{outcome="duplicate"} 3')).toBe(true);
  });

  it('that come during a send wait for the next one', async () => {
    await add(1);
    api.onExecuted(async () => void (await reports.add(event(99))));
    const one = sender();
    await one.run();
    expect(await reports.oldest(10)).toEqual([event(99)]);
    await one.run();
    expect(api.events.has('view:99')).toBe(true);
  });

  it('that are rejected are dropped and counted in a metric', async () => {
    api.unknownJobs.add(7);
    await reports.add(event(1));
    await reports.add(event(2, 7));
    await sender().run();
    expect(await reports.waiting()).toBe(0);
    expect(await metric('site_reports_total{outcome="rejected"} 1')).toBe(true);
    expect(await metric('site_reports_total{outcome="accepted"} 1')).toBe(true);
  });

  it.each([{ status: 401 }, { status: 429, retryAfter: 2 }, { status: 503 }, { status: 504 }])(
    'stay where the API answers %j, and it is asked again only after a pause',
    async (refusal) => {
      await add(2);
      api.behave(refusal);
      const one = sender();
      await one.run();
      expect(await one.run()).toBe('idle');
      expect([api.requests(), await reports.waiting()]).toEqual([1, 2]);
      api.behave('fine');
      await delay((refusal.retryAfter ?? 1) * 1000 + 50);
      await one.run();
      expect([api.events.size, await reports.waiting()]).toEqual([2, 0]);
    },
  );

  it('stay while there is no key, and the API is not asked', async () => {
    await add(2);
    await sender({}).run();
    expect([api.requests(), await reports.waiting()]).toEqual([0, 2]);
    expect(await metric('site_reports_waiting 2')).toBe(true);
  });

  it('are refused while too many wait', async () => {
    const bounded = reportStore(mongo, 2);
    const taken = [await bounded.add(event(1)), await bounded.add(event(2)), await bounded.add(event(3))];
    expect(taken).toEqual([true, true, false]);
    await sender().run();
    expect(await bounded.add(event(3))).toBe(true);
  });
});
