import * as contract from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { type Network, eventsServiceOn } from '../src/index.ts';
import { startReceiver } from './receivers.ts';
import { caller, runEvents } from './running-events.ts';

export type RunningWebhooks = Awaited<ReturnType<typeof runWebhooks>>;

const noNames: Network = { resolve: async () => [] };

/** The service with receivers, which are on the loopback. */
export async function runWebhooks(env: Record<string, string> = {}, network = noNames) {
  const opened = { WEBHOOK_ALLOWED_NETWORKS: 'loopback', ...env };
  const events = await runEvents(opened, 1, eventsServiceOn(network));
  const { bus } = events;
  const receivers: Awaited<ReturnType<typeof startReceiver>>[] = [];

  const create = async (
    body: Partial<contract.BodyOf<typeof contract.createWebhook>>,
    context = caller(),
  ) => {
    const full = {
      company: { id: 1 },
      url: 'https://hooks.example.com/',
      types: ['*' as const],
      ...body,
    };
    return (await bus.request(contract.createWebhook, { params: {}, body: full, context })).data;
  };
  const get = async (id: number, context = caller()) =>
    (await bus.request(contract.getWebhook, { params: { id }, context })).data;
  const attempts = async (id: number) =>
    (await bus.request(contract.listWebhookAttempts, { params: { id }, context: caller() })).data;

  return {
    ...events,
    create,
    get,
    attempts,
    update: async (id: number, body: contract.BodyOf<typeof contract.updateWebhook>, context = caller()) =>
      (await bus.request(contract.updateWebhook, { params: { id }, body, context })).data,
    rotate: async (id: number, context = caller()) =>
      (await bus.request(contract.rotateWebhookSecret, { params: { id }, context })).data,
    test: async (id: number, context = caller()) =>
      (await bus.request(contract.testWebhook, { params: { id }, context })).data,
    replay: async (id: number, body: contract.BodyOf<typeof contract.replayEvents>, context = caller()) =>
      (await bus.request(contract.replayEvents, { params: { id }, body, context })).data,
    remove: (id: number, context = caller()) =>
      bus.request(contract.deleteWebhook, { params: { id }, context }),
    /** A receiver and its webhook. */
    receive: async (body: Parameters<typeof create>[0] = {}) => {
      const receiver = await startReceiver();
      receivers.push(receiver);
      return { receiver, webhook: await create({ url: receiver.url, ...body }) };
    },
    /** Moves the clock, and the background looks again within a second. */
    attempted: async (id: number, count: number) => {
      await waitFor(async () => (await attempts(id)).length >= count, { what: `${count} attempts` });
      return attempts(id);
    },
    stop: async () => {
      await events.stop();
      await Promise.all(receivers.map((receiver) => receiver.stop()));
    },
  };
}
