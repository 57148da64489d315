import * as contract from '@joblisting/contracts';
import { type Background, background, type MongoContext, prepareModels } from '@joblisting/service-kit';
import { idBlocks, keptAnswersIn } from '@joblisting/service-kit/mongo';
import { messageSender, type Network } from './clients/receiver.ts';
import { accessOf, type EventsConfig } from './config.ts';
import { attemptModel } from './models/attempt.ts';
import { deliveryModel } from './models/delivery.ts';
import { webhookModel } from './models/webhook.ts';
import { attemptStore } from './store/attempt-store.ts';
import { deliveryStore } from './store/delivery-store.ts';
import { leaseStore } from './store/lease-store.ts';
import type { LogStore } from './store/log-store.ts';
import { webhookStore } from './store/webhook-store.ts';
import { workStore } from './store/work-store.ts';
import { deliveringWebhooks } from './tasks/deliver-webhooks.ts';
import { webhookMetrics } from './tasks/webhook-metrics.ts';

/** How often the leader looks for what is due, and the others try to lead. */
const DELIVER_EVERY_MS = 1000;
/** News of the log that come within it share a look. */
const REST_MS = 200;

interface WebhookContext extends Omit<MongoContext<EventsConfig>, 'tracing' | 'connectPatiently'> {
  readonly logs: LogStore;
  readonly network: Network;
  readonly stopping: AbortSignal;
}

/** Wires what has to do with webhooks, but for their endpoints. */
export function webhookParts(context: WebhookContext) {
  const { bus, mongo, clock, log, config, metrics, logs, network, stopping } = context;
  const access = accessOf(config);
  const answers = keptAnswersIn(mongo, 'idempotency', clock);
  const newId = idBlocks(mongo, 'webhooks');
  const webhooks = webhookStore(mongo, { most: config.MAX_WEBHOOKS, newId, answers });
  const attempts = attemptStore(mongo, answers);
  const work = workStore(mongo);
  const lease = leaseStore(mongo, 'webhooks');
  const send = messageSender(access, network);
  const delivering = deliveringWebhooks({
    deliveries: deliveryStore(mongo, attempts, logs),
    attempts,
    work,
    lease,
    send,
    clock,
    log,
    metrics: webhookMetrics(metrics, work, clock),
    onLogged: (companyId) => bus.notify(contract.eventsLogged, { companyIds: [companyId] }),
    stopping,
  });
  let task: Background | undefined;

  return {
    start: async (): Promise<void> => {
      await prepareModels([attemptModel, deliveryModel, webhookModel].map((model) => model(mongo)));
      await answers.createIndexes();
      await lease.prepare();
    },
    webhooks,
    attempts,
    access,
    send,
    answers,
    started: (): void => {
      task = background('deliver to webhooks', DELIVER_EVERY_MS, delivering.run, log, { restMs: REST_MS });
    },
    /** After the log of a company got an event. */
    wake: (): void => {
      if (lease.isHeld()) task?.trigger();
    },
    stop: async (): Promise<void> => {
      await task?.stop();
      await delivering.stop();
      await lease.release();
    },
  };
}
