import type { Consuming } from '@joblisting/bus';
import { forgetJobs, metricsStream, recordEvents } from '@joblisting/contracts';
import { type ConfigOf, endpoint, keptAnswersIn, type ServiceDefinition } from '@joblisting/service-kit';
import { flusher } from './background/flush-counts.ts';
import { takeReports } from './background/take-reports.ts';
import { config } from './config.ts';
import { countTogetherWith } from './counting/count-together.ts';
import { countingQueue } from './counting/queue.ts';
import { readEvents } from './handlers/read-events.ts';
import { forgetJobsHandler } from './handlers/forget-jobs.ts';
import { recordEventsHandler } from './handlers/record-events.ts';
import { jobsPeer } from './peers/jobs.ts';
import { additionStore } from './store/additions.ts';
import { createIndexes } from './store/collections.ts';
import { counterStore } from './store/counter-store.ts';
import { ledger } from './store/ledger.ts';

const EVENTS_TOGETHER = 5000;

export const metricsService: ServiceDefinition<ConfigOf<typeof config>> = {
  name: 'metrics',
  description: 'Exact counting of views, applications and click-throughs',
  config,
  mongo: true,
  create: ({ config, mongo, bus, clock, log, metrics }) => {
    const additions = additionStore(mongo);
    const counters = counterStore(mongo);
    const jobs = jobsPeer(bus);
    const flush = flusher(additions, counters, jobs, config.FLUSH_EVERY_MS, log);
    const answers = keptAnswersIn(mongo, 'idempotency', clock);
    const queue = countingQueue(countTogetherWith(jobs, ledger(mongo, additions, answers), flush.nudge), {
      waitingBatches: config.MAX_WAITING_BATCHES,
      waitingEvents: config.MAX_WAITING_EVENTS,
      eventsTogether: EVENTS_TOGETHER,
    });
    metrics.gauge(
      {
        name: 'counting_waiting',
        help: 'What waits to be counted: batches and events.',
        labelNames: ['what'],
      },
      () => Object.entries(queue.waiting()).map(([what, value]) => ({ labels: { what }, value })),
    );
    let taking: Consuming | undefined;
    return {
      start: async () => {
        await Promise.all([createIndexes(mongo), answers.createIndexes()]);
        await bus.ensureStream(metricsStream);
      },
      endpoints: [
        endpoint(recordEvents, recordEventsHandler(queue, clock), log, {
          readBody: readEvents,
          kept: answers,
        }),
        endpoint(forgetJobs, forgetJobsHandler(counters), log),
      ],
      started: async () => {
        flush.start();
        taking = takeReports(bus, queue, log);
      },
      stop: async () => {
        await taking?.stop();
        await flush.stop();
      },
    };
  },
};
