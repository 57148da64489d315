import type { Span } from '@joblisting/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './path.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the operation, for the log. */
    operation?: string;
    /** Asked for every few seconds by machines: logged at debug. */
    quiet?: boolean;
  }
}

/** What is told of a request whose answer is out, or whose client is gone. */
export interface EndedRequest {
  readonly requestId: string;
  readonly traceparent: string;
  readonly operation?: string | undefined;
  readonly method: string;
  /** As the router has it; without one nothing was routed. */
  readonly route?: string | undefined;
  readonly path: string;
  /** 499 where the client left before there was an answer. */
  readonly status: number;
  /** `ok`, the code of the refusal, or `aborted`. */
  readonly outcome: string;
  readonly durationMs: number;
  readonly consumerId?: number | undefined;
  readonly aborted?: true;
  readonly quiet?: boolean | undefined;
}

/** No client gets it; proxies write it into their logs for one that has left. */
const CLIENT_LEFT = 499;

export type TellEnd = (request: EndedRequest) => void;

/** Tells of each request once it has ended, and ends its part of the trace. */
export function tellEnds(server: FastifyInstance, tell: TellEnd): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('close', () => {
      const ended = endOf(request, reply);
      tell(ended);
      endSpan(request.call.span, ended);
    });
    done();
  });
}

function endOf(request: FastifyRequest, reply: FastifyReply): EndedRequest {
  const { arrivedAt, traceparent, principal, refusal } = request.call;
  const { config, url } = request.routeOptions;
  const hasLeft = !reply.raw.headersSent;
  return {
    requestId: request.id,
    traceparent,
    operation: config.operation,
    method: request.method,
    route: url,
    path: pathOf(request.originalUrl),
    status: hasLeft ? CLIENT_LEFT : reply.statusCode,
    outcome: hasLeft ? 'aborted' : (refusal ?? 'ok'),
    durationMs: Math.round((performance.now() - arrivedAt) * 1000) / 1000,
    consumerId: principal?.consumerId,
    quiet: config.quiet,
    ...(!reply.raw.writableFinished && { aborted: true as const }),
  };
}

const FIRST_SERVER_ERROR = 500;

/** Ends the request's part of the trace, if it is recorded. */
export function endSpan(
  span: Span | undefined,
  { status, outcome }: Pick<EndedRequest, 'status' | 'outcome'>,
): void {
  if (!span) return;
  span.set({ 'http.response.status_code': status, outcome });
  span.end(status >= FIRST_SERVER_ERROR ? outcome : undefined);
}
