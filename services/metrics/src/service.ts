import type { Consuming } from '@joblisting/bus';
import {
  applicationsStream,
  forgetJobs,
  getJobMetrics,
  metricsStream,
  recordEvents,
} from '@joblisting/contracts';
import {
  type Background,
  background,
  type ConfigOf,
  endpoint,
  prepareModels,
  type ServiceDefinition,
} from '@joblisting/service-kit';
import { keptAnswersIn } from '@joblisting/service-kit/mongo';
import { Type } from 'typebox';
import { jobsClient } from './clients/jobs.ts';
import { type CountBatches, countingQueue } from './counting-queue.ts';
import { getJobMetricsHandler } from './handlers/get-job-metrics.ts';
import { readEvents, recordEventsHandler } from './handlers/record-events.ts';
import { counterModel } from './models/counter.ts';
import { dayModel } from './models/day.ts';
import { seenEventModel } from './models/seen-event.ts';
import { unsentModel } from './models/unsent.ts';
import { counterStore } from './store/counter-store.ts';
import { ledger } from './store/ledger.ts';
import { migrate } from './store/migrate.ts';
import { seriesStore } from './store/series-store.ts';
import { consumeEvents } from './tasks/consume-events.ts';
import { sendCounts } from './tasks/send-counts.ts';

/** The most events of one transaction: each of its commands must end well within the socket's time-out. */
const MAX_TRANSACTION_EVENTS = 5000;

const config = {
  FLUSH_EVERY_MS: Type.Integer({
    default: 1000,
    minimum: 10,
    description: 'How often changed counts are sent to the jobs.',
  }),
  MAX_WAITING_BATCHES: Type.Integer({
    default: 256,
    minimum: 1,
    description:
      'Batches of one sender that wait to be counted, and twice as many of all; more are refused with 503.',
  }),
  MAX_WAITING_EVENTS: Type.Integer({
    default: 20_000,
    minimum: 1000,
    description:
      'Events in the batches of one sender that wait, and twice as many of all; more are refused with 503.',
  }),
};

export const metricsService: ServiceDefinition<ConfigOf<typeof config>> = {
  name: 'metrics',
  description: 'Exact counting of views, applications and click-throughs',
  config,
  mongo: true,
  create: ({ config, mongo, bus, clock, log, metrics }) => {
    const counters = counterStore(mongo);
    const jobs = jobsClient(bus);
    const answers = keptAnswersIn(mongo, 'idempotency', clock);
    const { record } = ledger(mongo, answers, clock);
    // Existence is not cached: an event that comes after its job was deleted is rejected at once.
    const countBatches: CountBatches = async (batches, deadline) => {
      const jobIds = new Set(batches.flatMap(({ events }) => events.map(({ jobId }) => jobId)));
      return record(batches, await jobs.existing([...jobIds], deadline), deadline);
    };
    const queue = countingQueue(countBatches, {
      waitingBatches: config.MAX_WAITING_BATCHES,
      waitingEvents: config.MAX_WAITING_EVENTS,
      transactionEvents: MAX_TRANSACTION_EVENTS,
    });
    metrics.gauge(
      {
        name: 'counting_waiting',
        help: 'What waits to be counted: batches and events.',
        labelNames: ['what'],
      },
      () => Object.entries(queue.backlog()).map(([what, value]) => ({ labels: { what }, value })),
    );
    let sending: Background | undefined;
    let consuming: Consuming | undefined;
    return {
      start: async () => {
        await prepareModels(
          [seenEventModel, counterModel, dayModel, unsentModel].map((model) => model(mongo)),
        );
        await migrate(mongo);
        await answers.createIndexes();
        await bus.ensureStream(metricsStream);
        // Consuming it needs the stream, and `applications` may start later.
        await bus.ensureStream(applicationsStream);
      },
      endpoints: [
        endpoint(recordEvents, recordEventsHandler(queue, clock), log, {
          readBody: readEvents,
          kept: answers,
        }),
        endpoint(getJobMetrics, getJobMetricsHandler(jobs, seriesStore(mongo), clock), log),
        endpoint(
          forgetJobs,
          async ({ body }) => ({ data: { forgotten: await counters.forget(body.jobIds) } }),
          log,
        ),
      ],
      started: async () => {
        sending = background('send counts', config.FLUSH_EVERY_MS, () => sendCounts(counters, jobs), log);
        consuming = consumeEvents(bus, queue, log, metrics);
      },
      stop: async () => {
        await consuming?.stop();
        await sending?.stop();
      },
    };
  },
};
