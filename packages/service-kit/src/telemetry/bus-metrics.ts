import type { Bus, BusObserver, Observation, Served } from '@joblisting/bus';
import type { Reason } from '@joblisting/contracts';
import { SpanKind } from '@opentelemetry/api';
import { busSpans } from './bus-spans.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

type OnEnd = (outcome: string, seconds: number, reason: Reason | undefined) => void;

/** A span that is counted when it ends. */
function counted(span: Observation, onEnd: OnEnd): Observation {
  const startedAt = performance.now();
  return {
    ...span,
    end: (outcome, reason) => {
      onEnd(outcome, (performance.now() - startedAt) / 1000, reason);
      span.end(outcome, reason);
    },
  };
}

/** Rate, errors and duration: `<prefix>_requests_total` and `<prefix>_request_duration_seconds`. */
function requestCounter(metrics: Metrics, prefix: string, what: string) {
  const requests = metrics.counter({
    name: `${prefix}_requests_total`,
    help: `${what}, by operation and outcome: ok, created, deleted, or an error code.`,
    labelNames: ['operation', 'outcome'],
  });
  const durations = metrics.histogram({
    name: `${prefix}_request_duration_seconds`,
    help: 'How long they took, by operation.',
    labelNames: ['operation'],
  });
  return (operation: string, outcome: string, seconds: number): void => {
    requests.inc({ operation, outcome });
    durations.observe({ operation }, seconds);
  };
}

/** Metrics and spans of what a service requests, serves, publishes and consumes. */
export function busObserver(metrics: Metrics, tracing: Tracing | undefined): BusObserver {
  const spans = busSpans(tracing);
  const countRequested = requestCounter(metrics, 'bus_client', 'Requests to other services');
  const countServed = requestCounter(metrics, 'bus_server', 'Requests served');
  const refusals = metrics.counter({
    name: 'bus_server_refusals_total',
    help: 'Requests answered with 503 or 504, by operation and reason.',
    labelNames: ['operation', 'reason'],
  });
  const published = metrics.counter({
    name: 'bus_events_published_total',
    help: 'Events given to their stream, by result: stored or failed.',
    labelNames: ['event', 'result'],
  });
  const consumed = metrics.counter({
    name: 'bus_events_consumed_total',
    help: 'Events handled, by result: done, or failed and to come again.',
    labelNames: ['event', 'result'],
  });
  const handling = metrics.histogram({
    name: 'bus_events_handling_duration_seconds',
    help: 'How long it took to handle a batch of events.',
    labelNames: ['event'],
  });
  const reconnects = metrics.counter({
    name: 'bus_reconnects_total',
    help: 'How often the connection to the bus was lost and made again.',
  });
  const served = (operation: string, outcome: string, seconds: number, reason: Reason | undefined): void => {
    countServed(operation, outcome, seconds);
    if (reason) refusals.inc({ operation, reason });
  };

  return {
    requesting: ({ subject }, { traceparent }) =>
      counted(spans.request(subject, SpanKind.CLIENT, traceparent), (outcome, seconds) =>
        countRequested(subject, outcome, seconds),
      ),
    serving: ({ subject }, { traceparent }) =>
      counted(spans.request(subject, SpanKind.SERVER, traceparent), (...end) => served(subject, ...end)),
    rejected: ({ subject }, reason) => served(subject, 'overloaded', 0, reason),
    publishing: ({ subject: event }) =>
      counted(spans.publish(event), (outcome) =>
        published.inc({ event, result: outcome === 'ok' ? 'stored' : 'failed' }),
      ),
    consuming: ({ subject: event }, batchSize, traceparents) =>
      counted(spans.consume(event, traceparents), (outcome, seconds) => {
        consumed.inc({ event, result: outcome === 'ok' ? 'done' : 'failed' }, batchSize);
        handling.observe({ event }, seconds);
      }),
    reconnected: () => reconnects.inc(),
  };
}

type WatchedBus = Pick<Bus, 'isConnected' | 'pending' | 'consumerStates'>;

/** Whether the bus is connected, how many requests wait for a reply, how far consumers are behind. */
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
      help: 'Events in the stream that were not delivered to the consumer (pending), were not acknowledged (unacknowledged), and were delivered more than once (redelivered).',
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
