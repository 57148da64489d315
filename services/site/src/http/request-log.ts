import { type Log, type Metrics, requestLog } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Polled by machines: neither logged, counted nor limited. */
    quiet?: boolean;
  }
}

const UNROUTED = 'none';
/** No client gets this status; proxies log it for a client that has left. */
const CLIENT_LEFT = 499;

/** Writes one line for each request and measures it. Neither has an address, a query or a name. */
export function observeRequests(server: FastifyInstance, log: Log, metrics: Metrics): void {
  const lines = requestLog(log);
  const durations = metrics.histogram({
    name: 'http_server_request_duration_seconds',
    help: 'From the arrival of a request to the end of its answer, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
  });
  server.addHook('onRequest', (request, reply, done) => {
    const arrivedAt = performance.now();
    reply.header('Request-Id', request.id);
    const { method, id: requestId } = request;
    const { config, url: route = UNROUTED } = request.routeOptions;
    if (!config.quiet) {
      reply.raw.once('close', () => {
        const durationMs = Math.round((performance.now() - arrivedAt) * 1000) / 1000;
        const status = reply.raw.headersSent ? reply.statusCode : CLIENT_LEFT;
        durations.observe({ method, route, status }, durationMs / 1000);
        lines.info({ requestId, method, route, status, durationMs }, 'request');
      });
    }
    done();
  });
}
