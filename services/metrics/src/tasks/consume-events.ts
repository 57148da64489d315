import type { Bus, Consuming } from '@joblisting/bus';
import {
  applicationReceived,
  type Event,
  metricsReported,
  type PayloadOf,
  type RejectedEvent,
  type Violation,
} from '@joblisting/contracts';
import { compileBody, type Log, type Metrics } from '@joblisting/service-kit';
import type { CountingQueue } from '../counting-queue.ts';
import { separateEvents, violationsOfList } from '../domain/rejections.ts';
import { applicationBatch, type EventBatch } from '../domain/tally.ts';

const MESSAGES_AT_ONCE = 10;

/** Shorter than the stream's ack wait, after which another replica gets the message. */
const COUNT_LIMIT_MS = 5000;
const LOGGED_AT_MOST = 5;

/** How a message becomes a batch. */
interface Reading<E extends Event> {
  /** The violations for which nothing of the message can be used. */
  readonly unusable: (violations: Violation[]) => readonly Violation[];
  /** The events to count, and those that break the schema by themselves. */
  readonly read: (
    message: PayloadOf<E>,
    violations: readonly Violation[],
  ) => { readonly batch: EventBatch; readonly invalid: readonly RejectedEvent[] };
}

const reports: Reading<typeof metricsReported> = {
  unusable: violationsOfList,
  read: ({ events }, violations) => {
    const { valid, rejected } = separateEvents(events, violations);
    return { batch: { sender: 'bus', events: valid }, invalid: rejected };
  },
};

const applications: Reading<typeof applicationReceived> = {
  unusable: (violations) => violations,
  read: (message) => ({ batch: applicationBatch(message), invalid: [] }),
};

/**
 * Counts the events that the search site reports over the bus, by the schema and rules of HTTP, and the applications
 * that the service receives itself. Logs and drops what breaks its schema, an event or a whole message, because a retry
 * would fail too. If counting fails, the stream delivers the messages again.
 */
export function consumeEvents(bus: Bus, queue: CountingQueue, log: Log, metrics: Metrics): Consuming {
  const invalidEvents = metrics.counter({
    name: 'counting_invalid_events_total',
    help: 'Events in reports over the bus that broke the schema and were dropped.',
  });

  const countingConsumer = <E extends Event>({ subject, payload }: E, { unusable, read }: Reading<E>) => {
    const { check } = compileBody(payload);
    let dropped = 0;

    const count = async (message: PayloadOf<E>): Promise<void> => {
      const violations = check(message);
      const reasons = unusable(violations);
      if (reasons.length > 0) {
        dropped++;
        log.warn(
          { subject, violations: reasons.slice(0, LOGGED_AT_MOST), dropped },
          'a message breaks its schema',
        );
        return;
      }
      const { batch, invalid } = read(message, violations);
      const { rejected } = await queue.submit(batch, Date.now() + COUNT_LIMIT_MS);
      if (rejected.length > 0) {
        log.info({ subject, rejected: rejected.length }, 'events name jobs that do not exist');
      }
      if (invalid.length === 0) return;
      invalidEvents.inc(invalid.length);
      const first = invalid.slice(0, LOGGED_AT_MOST).map(({ pointer, detail }) => ({ pointer, detail }));
      log.warn({ subject, invalid: invalid.length, first }, 'events break their schema');
    };

    return {
      batch: MESSAGES_AT_ONCE,
      handle: async (messages: readonly PayloadOf<E>[]) => void (await Promise.all(messages.map(count))),
      onError: (err: unknown) => log.warn({ err, subject }, 'could not count these events; they come again'),
    };
  };

  const all = [
    bus.consume(metricsReported, { durable: 'metrics', ...countingConsumer(metricsReported, reports) }),
    bus.consume(applicationReceived, {
      durable: 'metrics',
      ...countingConsumer(applicationReceived, applications),
    }),
  ];
  return { stop: async () => void (await Promise.all(all.map(({ stop }) => stop()))) };
}
