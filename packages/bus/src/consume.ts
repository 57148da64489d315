import { setTimeout as delay } from 'node:timers/promises';
import type { Event } from '@joblisting/contracts';
import {
  AckPolicy,
  ConsumerEvents,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
  type NatsConnection,
  nanos,
} from 'nats';
import { isApiError } from './events.ts';
import { type BatchHandler, handleBatch, RETRY_MS } from './handle-batch.ts';
import type { BusObserver } from './observer.ts';

export interface ConsumeOptions<E extends Event> extends BatchHandler<E> {
  /** The durable consumer's name: replicas that share it share the messages. */
  readonly durable: string;
  /** The most messages handed to `handle` at once. */
  readonly batch: number;
}

export interface Consuming {
  readonly stop: () => Promise<void>;
}

const CONSUMER_EXISTS = 10_148;
/** What a killed replica had taken goes to another one after this; what comes twice does no harm. */
const ACK_WAIT_MS = 10_000;
/** Bounds how long a stop waits for a set-up that is under way while the server is silent. */
const API_OPTIONS = { timeout: 2000, checkAPI: false };

/**
 * Consumes an event durably, in batches, until stopped. A deleted consumer, a lost stream leader or a broken
 * connection end one run of the loop; the next one makes the consumer anew. A message that is not JSON is
 * reported and terminated: it would never become readable.
 */
export function consume<E extends Event>(
  connection: NatsConnection,
  event: E,
  options: ConsumeOptions<E>,
  observer?: BusObserver,
): Consuming {
  const stopping = new AbortController();
  const handle = (batch: readonly JsMsg[]) => handleBatch(batch, event, options, observer);
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        await consumeOnce(connection, event, options, handle, stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return;
        options.onError(error);
        await delay(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const done = loop();
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

async function consumeOnce<E extends Event>(
  connection: NatsConnection,
  event: E,
  options: ConsumeOptions<E>,
  handle: (batch: readonly JsMsg[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await ensureConsumer(connection, event, options);
  const consumer = await connection.jetstream(API_OPTIONS).consumers.get(event.stream, options.durable);
  const inbox: JsMsg[] = [];
  let news = Promise.withResolvers<void>();
  // A callback, not the iterator: one that is left before its end never closes. `max_ack_pending` bounds the inbox.
  const messages = await consumer.consume({
    max_messages: options.batch * 2,
    expires: 5000,
    callback: (message) => {
      inbox.push(message);
      news.resolve();
    },
  });
  let loss: Error | undefined;
  const watch = async () => {
    loss = await watchForLoss(messages);
    news.resolve();
  };
  void watch();
  const wake = () => news.resolve();
  signal.addEventListener('abort', wake);
  try {
    while (!signal.aborted) {
      if (inbox.length > 0) await handle(inbox.splice(0, options.batch));
      else if (loss) throw loss;
      else {
        await news.promise;
        news = Promise.withResolvers();
      }
    }
  } finally {
    signal.removeEventListener('abort', wake);
    for (const message of inbox) message.nak();
    await messages.close();
  }
}

/** Creates the durable consumer, or brings an existing one to these limits. */
async function ensureConsumer<E extends Event>(
  connection: NatsConnection,
  event: E,
  options: ConsumeOptions<E>,
): Promise<void> {
  const { consumers } = await connection.jetstreamManager(API_OPTIONS);
  const config = {
    durable_name: options.durable,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    deliver_policy: DeliverPolicy.All,
    filter_subject: event.subject,
    max_ack_pending: options.batch * 4,
    max_deliver: -1,
  };
  try {
    await consumers.add(event.stream, config);
  } catch (error) {
    if (!isApiError(error, CONSUMER_EXISTS)) throw error;
    await consumers.update(event.stream, options.durable, config);
  }
}

/** Resolves when the consumer is gone, with the reason: the client would wait for it in silence. */
async function watchForLoss(messages: ConsumerMessages): Promise<Error> {
  const lost = new Set<string>([
    ConsumerEvents.ConsumerDeleted,
    ConsumerEvents.ConsumerNotFound,
    ConsumerEvents.StreamNotFound,
  ]);
  for await (const { type, data } of await messages.status()) {
    const silent = type === ConsumerEvents.HeartbeatsMissed && Number(data) >= 2;
    if (silent || lost.has(type)) return new Error(`consumer lost: ${type}`);
  }
  return new Error('consumer closed');
}
