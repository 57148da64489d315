import type { Log, Metrics } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';
import type { ClosedFor, Flood } from '../limits/connections.ts';
import type { EndedRequest } from './request-log.ts';

const UNROUTED = 'none';

/** Counts requests by route and status. No label has a value that a client made up. */
export function countRequests(metrics: Metrics): (ended: EndedRequest) => void {
  const requests = metrics.counter({
    name: 'http_server_requests_total',
    help: 'Requests answered, by method, route and status; 429, 503 and 504 by reason as well.',
    labelNames: ['method', 'route', 'status', 'reason'],
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

  return ({ method, route = UNROUTED, status, durationMs, outcome, reason, quiet }) => {
    if (quiet) return;
    requests.inc({ method, route, status, ...(reason && { reason }) });
    durations.observe({ method, route }, durationMs / 1000);
    if (outcome !== 'ok') refusals.inc({ code: outcome });
  };
}

/** Counts the connections that the gateway closes, and logs which addresses it keeps out. */
export function reportConnections(metrics: Metrics, log: Log) {
  const closed = metrics.counter({
    name: 'http_server_connections_closed_total',
    help: 'Connections closed for a limit: address_limit, shut_out, idle, pipelined_requests, tiny_chunks.',
    labelNames: ['reason'],
  });
  return {
    onClosed: (reason: ClosedFor): void => closed.inc({ reason }),
    onShutOut: (clientAddress: string, reason: Flood): void =>
      log.warn({ clientAddress, reason }, 'address shut out'),
  };
}

export interface Usage {
  readonly inFlight: () => number;
  readonly heldBytes: () => number;
  readonly limits: Readonly<Record<string, number>>;
}

/** Shows how full the gateway is, beside its limits. */
export function measureUsage(
  metrics: Metrics,
  server: FastifyInstance,
  { inFlight, heldBytes, limits }: Usage,
): void {
  metrics.gauge({ name: 'http_server_requests_in_flight', help: 'Concurrent requests now.' }, inFlight);
  metrics.gauge({ name: 'http_server_buffered_bytes', help: 'Bytes held for clients now.' }, heldBytes);
  metrics.gauge(
    { name: 'http_server_connections', help: 'Connections open now.' },
    () =>
      new Promise((resolve, reject) => {
        server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
  );
  metrics.gauge(
    { name: 'http_server_limit', help: 'The most there may be of each.', labelNames: ['of'] },
    () => Object.entries(limits).map(([of, value]) => ({ labels: { of }, value })),
  );
}
