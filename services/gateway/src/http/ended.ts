import type { ServerResponse } from 'node:http';
import { endSpan, type Span } from '@joblisting/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from './call.ts';
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

/** No client gets the status; proxies write it into their logs for one that has left. */
const LEFT = { status: 499, outcome: 'aborted' };

export type TellEnd = (request: EndedRequest) => void;

/** Tells of each request once it has ended, and ends its part of the trace. */
export function tellEnds(server: FastifyInstance, tell: TellEnd): void {
  server.addHook('onRequest', (request, reply, done) => {
    tellEnd(reply.raw, request.call, tell, () => outcomeOf(request, reply));
    done();
  });
}

/** What is known of a request when its response is closed, but for what the response tells by itself. */
type Outcome = Omit<EndedRequest, 'traceparent' | 'durationMs' | 'aborted'>;

/** The same for one request. */
export function tellEnd(
  response: ServerResponse,
  { arrivedAt, span, traceparent }: Pick<Call, 'arrivedAt' | 'span' | 'traceparent'>,
  tell: TellEnd,
  outcomeNow: () => Outcome,
): void {
  response.on('close', () => {
    const ended = {
      ...outcomeNow(),
      ...(!response.headersSent && LEFT),
      traceparent,
      durationMs: Math.round((performance.now() - arrivedAt) * 1000) / 1000,
      ...(!response.writableFinished && { aborted: true as const }),
    };
    tell(ended);
    if (span) endRequestSpan(span, ended);
  });
}

function outcomeOf(request: FastifyRequest, reply: FastifyReply): Outcome {
  const { principal, refusal } = request.call;
  const { config, url } = request.routeOptions;
  return {
    requestId: request.id,
    operation: config.operation,
    method: request.method,
    route: url,
    path: pathOf(request.originalUrl),
    status: reply.statusCode,
    outcome: refusal ?? 'ok',
    consumerId: principal?.consumerId,
    quiet: config.quiet,
  };
}

const FIRST_SERVER_ERROR = 500;

function endRequestSpan(span: Span, { status, outcome }: Outcome): void {
  const error = status >= FIRST_SERVER_ERROR ? outcome : undefined;
  endSpan(span, { 'http.response.status_code': status, outcome }, error);
}
