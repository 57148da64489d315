import type { FastifyInstance } from 'fastify';
import type { Metrics } from '@joblisting/service-kit';
import type { TellEnd } from './ended.ts';

export const FRONT_DOOR = 'front door';
const UNROUTED = 'none';

/** Rate, errors and duration by route and status. What a client made up is in no label. */
export function countRequests(metrics: Metrics): TellEnd {
  const requests = metrics.counter({
    name: 'http_server_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
  });
  const durations = metrics.histogram({
    name: 'http_server_request_duration_seconds',
    help: 'From the arrival of a request to the end of its answer, by method and route.',
    labelNames: ['method', 'route'],
  });
  const refusals = metrics.counter({
    name: 'http_server_refusals_total',
    help: 'Requests refused, by error code: rate_limited, overloaded, unauthenticated and so on.',
    labelNames: ['code'],
  });

  return ({ method, route = UNROUTED, status, durationMs, outcome, quiet }) => {
    if (quiet) return;
    requests.inc({ method, route, status: String(status) });
    // Nobody knows how long it waited before it was looked at; zeros would hide how long the others take.
    if (route !== FRONT_DOOR) durations.observe({ method, route }, durationMs / 1000);
    if (outcome !== 'ok') refusals.inc({ code: outcome });
  };
}

export interface Occupied {
  /** Requests that are worked on. */
  readonly inFlight: () => number;
  /** Bytes kept for clients. */
  readonly buffered: () => number;
}

/** How full the gateway is, beside the limits of its settings. */
export function watchOccupied(
  metrics: Metrics,
  server: FastifyInstance,
  occupied: Occupied,
  limits: () => Readonly<Record<string, number>>,
): void {
  const { inFlight, buffered } = occupied;
  metrics.gauge({ name: 'http_server_requests_in_flight', help: 'Requests worked on now.' }, inFlight);
  metrics.gauge({ name: 'http_server_buffered_bytes', help: 'Bytes kept for clients now.' }, buffered);
  metrics.gauge(
    { name: 'http_server_connections', help: 'Connections open now.' },
    () =>
      new Promise((resolve, reject) => {
        server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
  );
  metrics.gauge(
    { name: 'http_server_limit', help: 'The most there may be of each.', labelNames: ['of'] },
    () => Object.entries(limits()).map(([of, value]) => ({ labels: { of }, value })),
  );
}
