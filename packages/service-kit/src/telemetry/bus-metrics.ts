import type { Bus, BusObserver, Served } from '@joblisting/bus';
import type { Metrics } from './metrics.ts';
import { requestMetrics } from './request-metrics.ts';

export type BusCounts = Pick<BusObserver, 'asked' | 'served' | 'published' | 'consumed' | 'reconnected'>;

/** What a service asks, serves, publishes and consumes. */
export function busMetrics(metrics: Metrics): BusCounts {
  const asked = requestMetrics(metrics, 'bus_client', 'Requests to other services');
  const served = requestMetrics(metrics, 'bus_server', 'Requests served');
  const published = metrics.counter({
    name: 'bus_events_published_total',
    help: 'Events given to their stream, by what became of it: stored or failed.',
    labelNames: ['event', 'result'],
  });
  const consumed = metrics.counter({
    name: 'bus_events_consumed_total',
    help: 'Events handled, by what became of it: done, or failed and to come again.',
    labelNames: ['event', 'result'],
  });
  const handling = metrics.histogram({
    name: 'bus_events_handling_duration_seconds',
    help: 'How long it took to handle a batch of events.',
    labelNames: ['event'],
  });
  const reconnects = metrics.counter({
    name: 'bus_reconnects_total',
    help: 'How often the connection to the bus was lost and made anew.',
  });
  return {
    asked: ({ subject }, outcome, durationMs) => asked(subject, outcome, durationMs),
    served: ({ subject }, outcome, durationMs) => served(subject, outcome, durationMs),
    published: ({ subject }, isStored) =>
      published.inc({ event: subject, result: isStored ? 'stored' : 'failed' }),
    consumed: ({ subject }, count, isDone, durationMs) => {
      consumed.inc({ event: subject, result: isDone ? 'done' : 'failed' }, count);
      handling.observe({ event: subject }, durationMs / 1000);
    },
    reconnected: () => reconnects.inc(),
  };
}

type WatchedBus = Pick<Bus, 'isConnected' | 'pending' | 'consumerStates'>;

/** What the bus can be asked about: whether it is there, what waits for a reply, how far consumers are behind. */
export function watchBus(metrics: Metrics, bus: WatchedBus): void {
  metrics.gauge({ name: 'bus_connected', help: '1 while the bus is there, 0 while it is away.' }, () =>
    Number(bus.isConnected()),
  );
  metrics.gauge(
    { name: 'bus_client_requests_pending', help: 'Requests to other services that wait for a reply.' },
    () => bus.pending(),
  );
  metrics.gauge(
    {
      name: 'bus_consumer_events',
      help: 'Events in the stream that the consumer has not taken (pending), has not acknowledged (unacknowledged), and was given more than once (redelivered).',
      labelNames: ['stream', 'consumer', 'state'],
    },
    async () => {
      const states = await bus.consumerStates();
      return states.flatMap(({ stream, durable: consumer, pending, ackPending, redelivered }) => [
        { labels: { stream, consumer, state: 'pending' }, value: pending },
        { labels: { stream, consumer, state: 'unacknowledged' }, value: ackPending },
        { labels: { stream, consumer, state: 'redelivered' }, value: redelivered },
      ]);
    },
  );
}

/** How full a service is: past the limit it refuses. */
export function watchServed(metrics: Metrics, { inFlight }: Served, limit: number): void {
  metrics.gauge(
    { name: 'bus_server_requests_in_flight', help: 'Requests over the bus that are handled now.' },
    inFlight,
  );
  metrics.gauge({ name: 'bus_server_requests_limit', help: 'The most handled at once.' }, () => limit);
}
