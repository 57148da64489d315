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

/** What is told of a request. Neither keys nor queries are in it. */
export interface LoggedRequest {
  readonly requestId: string;
  readonly traceparent: string;
  readonly operation?: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly consumerId?: number | undefined;
  readonly code?: string | undefined;
  readonly aborted?: true;
}

export type LogRequest = (request: LoggedRequest, quiet?: boolean) => void;

const LONGEST_PATH = 500;

/** One line for each request, when its answer is out or its client gone. */
export function logRequests(server: FastifyInstance, log: Log): LogRequest {
  const logRequest: LogRequest = ({ traceparent, path, ...rest }, quiet) => {
    const traceId = traceparent.slice(3, 35);
    log[quiet ? 'debug' : 'info']({ ...rest, traceId, path: path.slice(0, LONGEST_PATH) }, 'request');
  };

  server.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      const { arrivedAt, traceparent, principal, refusal } = request.call;
      const { operation, quiet } = request.routeOptions.config;
      logRequest(
        {
          requestId: request.id,
          traceparent,
          operation,
          method: request.method,
          path: pathOf(request.originalUrl),
          status: reply.statusCode,
          durationMs: Math.round((performance.now() - arrivedAt) * 1000) / 1000,
          consumerId: principal?.consumerId,
          code: refusal,
          ...(!reply.raw.writableFinished && { aborted: true as const }),
        },
        quiet,
      );
    });
  });
  return logRequest;
}
