import { setTimeout as delay } from 'node:timers/promises';
import type { Event, PayloadOf } from '@joblisting/contracts';
import {
  AckPolicy,
  ConsumerEvents,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
  type NatsConnection,
  nanos,
} from 'nats';
import { isApiError, TRACEPARENT } from './events.ts';
import type { BusObserver } from './observer.ts';

export interface ConsumeOptions<E extends Event> {
  /** The durable consumer's name: replicas that share it share the events. */
  readonly durable: string;
  /** The most events handed to `handle` at once. */
  readonly batch: number;
  /**
   * Does the work, which must be idempotent: an event arrives again if its ack was lost. When it resolves, all events
   * are acknowledged; when it rejects, all arrive again after a pause, without limit.
   */
  readonly handle: (payloads: readonly PayloadOf<E>[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export interface Consuming {
  /** Finishes the batch that is being handled, and returns what else was delivered to the stream. */
  readonly stop: () => Promise<void>;
}

/** How far a durable consumer is behind its stream. */
export interface ConsumerState {
  readonly stream: string;
  readonly durable: string;
  /** Events that were not delivered yet. */
  readonly pending: number;
  /** Events that were delivered and not acknowledged. */
  readonly ackPending: number;
  /** Of those, the ones that were delivered more than once. */
  readonly redelivered: number;
}

const CONSUMER_EXISTS = 10_148;
/** After this time, another replica gets the events that a killed one has not acknowledged. */
const ACK_WAIT_MS = 10_000;
/** The pause before a failed batch comes again, and before a lost consumer is created again. */
const RETRY_MS = 1000;
/** Bounds how long a stop waits for a set-up if the server is silent. */
const API_OPTIONS = { timeout: 2000, checkAPI: false };

/**
 * Consumes an event durably, in batches, until stopped. A deleted consumer, a lost stream leader or a broken connection
 * end one run of the loop; the next run creates the consumer again. An event that is not JSON is reported and dropped:
 * it would never become readable.
 */
export function consume<E extends Event>(
  connection: NatsConnection,
  event: E,
  options: ConsumeOptions<E>,
  observer: BusObserver,
  retryMs = RETRY_MS,
): Consuming {
  const stopping = new AbortController();
  const handle = batchHandler(event, options, observer, retryMs);
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        await consumeOnce(connection, event, options, handle, stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return;
        options.onError(error);
        await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
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
  { durable, batch }: ConsumeOptions<E>,
  handle: (batch: readonly JsMsg[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await ensureConsumer(connection, event, durable, batch);
  const consumer = await connection.jetstream(API_OPTIONS).consumers.get(event.stream, durable);
  const delivered: JsMsg[] = [];
  let wakeUp = Promise.withResolvers<void>();
  // A callback, because the client's iterator returns one message at a time. `max_ack_pending` bounds what is
  // delivered.
  const messages = await consumer.consume({
    max_messages: batch * 2,
    expires: 5000,
    callback: (message) => {
      delivered.push(message);
      wakeUp.resolve();
    },
  });
  let loss: Error | undefined;
  const watchLoss = async () => {
    loss = await lossOf(messages);
    wakeUp.resolve();
  };
  void watchLoss();
  const onAbort = () => wakeUp.resolve();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      if (delivered.length > 0) await handle(delivered.splice(0, batch));
      else if (loss) throw loss;
      else {
        await wakeUp.promise;
        wakeUp = Promise.withResolvers();
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    for (const message of delivered) message.nak();
    await messages.close();
  }
}

/** Creates the durable consumer, or brings an existing one to these limits. */
async function ensureConsumer(
  connection: NatsConnection,
  event: Event,
  durable: string,
  batch: number,
): Promise<void> {
  const { consumers } = await connection.jetstreamManager(API_OPTIONS);
  const config = {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    deliver_policy: DeliverPolicy.All,
    filter_subject: event.subject,
    max_ack_pending: batch * 4,
    max_deliver: -1,
  };
  try {
    await consumers.add(event.stream, config);
  } catch (error) {
    if (!isApiError(error, CONSUMER_EXISTS)) throw error;
    await consumers.update(event.stream, durable, config);
  }
}

/** Resolves with the reason when the consumer is lost. The client itself would keep waiting without an error. */
async function lossOf(messages: ConsumerMessages): Promise<Error> {
  const losses = new Set<string>([
    ConsumerEvents.ConsumerDeleted,
    ConsumerEvents.ConsumerNotFound,
    ConsumerEvents.StreamNotFound,
  ]);
  for await (const { type, data } of await messages.status()) {
    const isSilent = type === ConsumerEvents.HeartbeatsMissed && Number(data) >= 2;
    if (isSilent || losses.has(type)) return new Error(`consumer lost: ${type}`);
  }
  return new Error('consumer closed');
}

/** Handles a batch and acknowledges all of it. After a failure, all of it arrives again. */
const batchHandler =
  <E extends Event>(
    event: E,
    { handle, onError }: ConsumeOptions<E>,
    observer: BusObserver,
    retryMs: number,
  ) =>
  async (batch: readonly JsMsg[]): Promise<void> => {
    const readable: JsMsg[] = [];
    const payloads: PayloadOf<E>[] = [];
    for (const message of batch) {
      try {
        payloads.push(message.json<PayloadOf<E>>());
        readable.push(message);
      } catch (error) {
        onError(error);
        message.term('not JSON');
      }
    }
    if (readable.length === 0) return;
    const observation = observer.consuming(event, readable.length, readable.flatMap(traceparentOf));
    try {
      await observation.run(() => handle(payloads));
      for (const message of readable) message.ack();
      observation.end('ok');
    } catch (error) {
      onError(error);
      for (const message of readable) message.nak(retryMs);
      observation.end('internal');
    }
  };

function traceparentOf(message: JsMsg): string[] {
  try {
    const sent = message.headers?.get(TRACEPARENT);
    return sent ? [sent] : [];
  } catch {
    // The client throws for a header that it would not write itself, such as one with a line break.
    return [];
  }
}

/** Rejects if the server does not answer within a second, or has no such consumer. */
export async function consumerState(
  connection: NatsConnection,
  { stream }: Event,
  durable: string,
): Promise<ConsumerState> {
  const { consumers } = await connection.jetstreamManager({ timeout: 1000, checkAPI: false });
  const { num_pending, num_ack_pending, num_redelivered } = await consumers.info(stream, durable);
  return {
    stream,
    durable,
    pending: num_pending,
    ackPending: num_ack_pending,
    redelivered: num_redelivered,
  };
}
