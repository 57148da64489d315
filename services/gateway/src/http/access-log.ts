import type { Log } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';
import { pathOf } from './path.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the operation, for the log. */
    operation?: string;
    /** Asked for every few seconds by machines: logged at debug. */
    quiet?: boolean;
  }
}

const LONGEST_PATH = 500;

/** One line for each request, when its answer is out or its client gone. Neither keys nor queries are in it. */
export function logRequests(server: FastifyInstance, log: Log): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      const { arrivedAt, traceparent, principal, refusal } = request.call;
      const { operation, quiet } = request.routeOptions.config;
      log[quiet ? 'debug' : 'info'](
        {
          requestId: request.id,
          traceId: traceparent.slice(3, 35),
          operation,
          method: request.method,
          path: pathOf(request.originalUrl).slice(0, LONGEST_PATH),
          status: reply.statusCode,
          durationMs: Math.round((performance.now() - arrivedAt) * 1000) / 1000,
          consumerId: principal?.consumerId,
          code: refusal,
          ...(!reply.raw.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
  });
}
