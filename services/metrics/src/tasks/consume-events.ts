import type { Bus, Consuming } from '@joblisting/bus';
import { applicationReceived, type Event, metricsReported, type PayloadOf } from '@joblisting/contracts';
import { compileBody, type Log } from '@joblisting/service-kit';
import type { CountingQueue } from '../counting-queue.ts';
import { applicationBatch, type EventBatch } from '../domain/tally.ts';

const MESSAGES_AT_ONCE = 10;

/** Shorter than the stream's ack wait, after which another replica gets the message. */
const COUNT_LIMIT_MS = 5000;

/**
 * Counts the events that the search site reports over the bus, by the schema and rules of HTTP, and the applications
 * that the service receives itself. Logs and drops a message that breaks its schema, because a retry would fail too. If
 * counting fails, the stream delivers the messages again.
 */
export function consumeEvents(bus: Bus, queue: CountingQueue, log: Log): Consuming {
  const countingConsumer = <E extends Event>(event: E, batchOf: (payload: PayloadOf<E>) => EventBatch) => {
    const { subject, payload } = event;
    const { check } = compileBody(payload);
    let dropped = 0;

    const count = async (message: PayloadOf<E>): Promise<void> => {
      const violations = check(message);
      if (violations.length > 0) {
        dropped++;
        log.warn({ subject, violations: violations.slice(0, 5), dropped }, 'a message breaks its schema');
        return;
      }
      const { rejected } = await queue.submit(batchOf(message), Date.now() + COUNT_LIMIT_MS);
      if (rejected.length > 0) {
        log.info({ subject, rejected: rejected.length }, 'events name jobs that do not exist');
      }
    };

    return {
      batch: MESSAGES_AT_ONCE,
      handle: async (messages: readonly PayloadOf<E>[]) => void (await Promise.all(messages.map(count))),
      onError: (err: unknown) => log.warn({ err, subject }, 'could not count these events; they come again'),
    };
  };

  const all = [
    bus.consume(metricsReported, {
      durable: 'metrics',
      ...countingConsumer(metricsReported, ({ events }) => ({ sender: 'bus', events })),
    }),
    bus.consume(applicationReceived, {
      durable: 'metrics',
      ...countingConsumer(applicationReceived, applicationBatch),
    }),
  ];
  return { stop: async () => void (await Promise.all(all.map(({ stop }) => stop()))) };
}
