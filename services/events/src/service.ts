import * as contract from '@joblisting/contracts';
import {
  type Background,
  background,
  endpoint,
  type MongoContext,
  type Parts,
  prepareModels,
  type ServiceDefinition,
} from '@joblisting/service-kit';
import { jobsClient } from './clients/jobs.ts';
import { type Network, systemNetwork } from './clients/receiver.ts';
import { type EventsConfig, eventsConfig } from './config.ts';
import { listEventsHandler } from './handlers/list-events.ts';
import { listJobChangesHandler } from './handlers/list-job-changes.ts';
import {
  getWebhookHandler,
  listWebhookAttemptsHandler,
  listWebhooksHandler,
} from './handlers/read-webhooks.ts';
import { replayEventsHandler } from './handlers/replay-events.ts';
import { testWebhookHandler } from './handlers/test-webhook.ts';
import {
  createWebhookHandler,
  deleteWebhookHandler,
  removeWebhooksHandler,
  rotateWebhookSecretHandler,
  updateWebhookHandler,
} from './handlers/write-webhooks.ts';
import { eventModel } from './models/event.ts';
import { leaseModel } from './models/lease.ts';
import { logModel } from './models/log.ts';
import { positionModel } from './models/position.ts';
import { leaseStore } from './store/lease-store.ts';
import { logStore } from './store/log-store.ts';
import { followedStreams, followingStreams } from './tasks/follow-streams.ts';
import { logMetrics } from './tasks/log-metrics.ts';
import { removingExpired } from './tasks/remove-expired.ts';
import { webhookParts } from './webhooks.ts';
import { longPolls } from './long-polls.ts';

/** How often the leader looks for messages: the latency of the log. */
const FOLLOW_EVERY_MS = 100;
/** How often the others try to lead. */
const LEAD_EVERY_MS = 1000;
const REMOVE_EVERY_MS = 30_000;
/** The others stay free for requests that do not wait. */
const SHARE_OF_LONG_POLLS = 0.5;

function create(
  { bus, mongo, clock, log, config, metrics }: MongoContext<EventsConfig>,
  network: Network,
): Parts {
  const stopping = new AbortController();
  const { signal } = stopping;
  const logs = logStore(mongo);
  const lease = leaseStore(mongo, 'log');
  const jobs = jobsClient(bus);
  const polls = longPolls(Math.floor(config.MAX_IN_FLIGHT * SHARE_OF_LONG_POLLS), signal);
  metrics.gauge({ name: 'events_waiting_requests', help: 'Requests that wait for an event.' }, polls.count);
  const follow = followingStreams({
    bus,
    logs,
    lease,
    jobs,
    clock,
    log,
    metrics: logMetrics(metrics),
    stopping: signal,
  });
  const hooks = webhookParts({ bus, mongo, clock, log, config, metrics, logs, network, stopping: signal });
  const { webhooks, attempts, send, answers } = hooks;
  const writes = { webhooks, access: hooks.access, clock };
  let tasks: readonly Background[] = [];

  return {
    start: async () => {
      await prepareModels([eventModel, leaseModel, logModel, positionModel].map((model) => model(mongo)));
      await lease.prepare();
      await hooks.start();
      await logs.prepare(followedStreams.map(({ name }) => name));
      // The owners may start later.
      for (const stream of followedStreams) await bus.ensureStream(stream);
    },
    endpoints: [
      endpoint(contract.listEvents, listEventsHandler(logs, polls), log),
      endpoint(contract.listJobChanges, listJobChangesHandler(logs, jobs), log),
      endpoint(contract.createWebhook, createWebhookHandler(writes), log, { kept: answers }),
      endpoint(contract.listWebhooks, listWebhooksHandler(webhooks), log),
      endpoint(contract.getWebhook, getWebhookHandler(webhooks), log),
      endpoint(contract.updateWebhook, updateWebhookHandler(writes), log),
      endpoint(contract.deleteWebhook, deleteWebhookHandler(writes), log),
      endpoint(contract.removeWebhooks, removeWebhooksHandler(writes), log),
      endpoint(contract.testWebhook, testWebhookHandler({ webhooks, attempts, send, clock }), log, {
        kept: answers,
      }),
      endpoint(contract.listWebhookAttempts, listWebhookAttemptsHandler(webhooks, attempts), log),
      endpoint(contract.replayEvents, replayEventsHandler({ webhooks, logs, clock }), log, { kept: answers }),
      endpoint(contract.rotateWebhookSecret, rotateWebhookSecretHandler(writes), log, { kept: answers }),
    ],
    started: async () => {
      bus.listen(contract.eventsLogged, ({ companyIds }) => {
        polls.wake(companyIds);
        hooks.wake();
      });
      hooks.started();
      const removeExpired = removingExpired({
        logs,
        clock,
        days: config.EVENT_RETENTION_DAYS,
        stopping: signal,
      });
      tasks = [
        background('follow streams', FOLLOW_EVERY_MS, follow, log, { idleMs: LEAD_EVERY_MS }),
        background('remove expired events', REMOVE_EVERY_MS, removeExpired, log),
      ];
    },
    // Requests that wait are answered, so that the endpoints can be drained.
    closing: async () => stopping.abort(),
    stop: async () => {
      await Promise.all([...tasks.map((task) => task.stop()), hooks.stop()]);
      await lease.release();
    },
  };
}

/** The service, with how it finds the receivers of webhooks. */
export const eventsServiceOn = (network: Network): ServiceDefinition<EventsConfig> => ({
  name: 'events',
  description: 'The change log of each company, to follow what changed, and webhooks',
  config: eventsConfig,
  mongo: true,
  create: (context) => create(context, network),
});

export const eventsService = eventsServiceOn(systemNetwork);
