import type { Reason, ServiceError } from '@joblisting/contracts';
import { endSpan, type Log, requestLog, traceIdOf } from '@joblisting/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './rewrite.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the operation, for the log. */
    operation?: string;
    /** Polled by machines: logged at debug, neither counted nor limited. */
    quiet?: boolean;
  }
}

/** A request that was answered, or whose client has left. */
export interface EndedRequest {
  readonly requestId: string;
  readonly traceparent: string;
  readonly operation?: string | undefined;
  readonly method: string;
  /** The route's pattern; undefined where nothing was routed. */
  readonly route?: string | undefined;
  readonly path: string;
  /** 499 where the client left before there was an answer. */
  readonly status: number;
  /** `ok`, an error code, or `aborted`. */
  readonly outcome: string;
  /** Of 503, 504 and some 429. */
  readonly reason?: Reason | undefined;
  /** Of 503 and 504: the service that the gateway called. */
  readonly callee?: string | undefined;
  /** Of 401: which key is missing or malformed, or the request whose look-up in accounts refused them. */
  readonly refusedKeys?: string | undefined;
  /** The first violations of a refused request, each as `<code> <place>`. */
  readonly violations?: readonly string[] | undefined;
  /** How many violations the answer lists. */
  readonly violationCount?: number | undefined;
  readonly durationMs: number;
  /** Undefined if the connection closed before the request was read. */
  readonly clientAddress: string | undefined;
  /** The ids of the consumer key and the user key. */
  readonly consumerId?: number | undefined;
  readonly userId?: number | undefined;
  readonly companyId?: number | undefined;
  readonly jobId?: number | undefined;
  readonly applicationId?: number | undefined;
  readonly aborted?: true;
  readonly quiet?: boolean | undefined;
}

const LONGEST_PATH = 500;
/** Of an IPv6 address with a zone. A trusted proxy may forward what is no address. */
const LONGEST_ADDRESS = 64;
const LOGGED_VIOLATIONS = 10;
const LONGEST_PLACE = 100;
const FIRST_SERVER_ERROR = 500;
const FIRST_UNAVAILABLE = 503;
/** No client gets this status; proxies log it for a client that has left. */
const CLIENT_LEFT = { status: 499, outcome: 'aborted', reason: undefined };

/** Calls `listener` for each request once its response is closed, and ends the request's span. */
export function onRequestEnd(server: FastifyInstance, listener: (ended: EndedRequest) => void): void {
  server.addHook('onRequest', (request, reply, done) => {
    // A closed connection has no address.
    const clientAddress = request.ip?.slice(0, LONGEST_ADDRESS);
    reply.raw.on('close', () => {
      const ended = endedRequest(request, reply, clientAddress);
      listener(ended);
      const { span } = request.state;
      if (!span) return;
      const error = ended.status >= FIRST_SERVER_ERROR ? ended.outcome : undefined;
      endSpan(span, { 'http.response.status_code': ended.status, outcome: ended.outcome }, error);
    });
    done();
  });
}

function endedRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  clientAddress: string | undefined,
): EndedRequest {
  const { arrivedAt, error, principal, traceparent, companyId, jobId, applicationId } = request.state;
  const { callee, refusedKeys } = request.state;
  const { config, url } = request.routeOptions;
  return {
    requestId: request.id,
    traceparent,
    operation: config.operation,
    method: request.method,
    route: url,
    path: pathOf(request.originalUrl),
    status: reply.statusCode,
    outcome: error?.code ?? 'ok',
    reason: error?.reason,
    ...(reply.statusCode >= FIRST_UNAVAILABLE && { callee }),
    refusedKeys,
    ...(error && error.errors.length > 0 && violationsOf(error)),
    ...(!reply.raw.headersSent && CLIENT_LEFT),
    durationMs: Math.round((performance.now() - arrivedAt) * 1000) / 1000,
    clientAddress,
    consumerId: principal?.consumerId,
    userId: principal?.userId ?? undefined,
    companyId,
    jobId,
    applicationId,
    ...(!reply.raw.writableFinished && { aborted: true as const }),
    quiet: config.quiet,
  };
}

/** Places that the API names, never values: where a JSON body is malformed, its client has made up the names. */
function violationsOf({ code, errors }: ServiceError): Pick<EndedRequest, 'violations' | 'violationCount'> {
  const violations = errors.slice(0, LOGGED_VIOLATIONS).map((violation) => {
    const place = violation.pointer ?? violation.parameter ?? violation.header ?? '';
    return code === 'malformed_json' ? violation.code : `${violation.code} ${place.slice(0, LONGEST_PLACE)}`;
  });
  return { violations, violationCount: errors.length };
}

const INTEGER = /^\d{1,15}$/;

/** The path with its ids. Other segments than those of routes may be an e-mail address. */
export const shownPath = (path: string, routeSegments: ReadonlySet<string>): string =>
  path
    .slice(0, LONGEST_PATH)
    .split('/')
    .map((segment) => (segment === '' || INTEGER.test(segment) || routeSegments.has(segment) ? segment : '…'))
    .join('/');

/** Writes one line for each request, without keys and queries: a query may hold an e-mail address. */
export function logRequests(log: Log, routeSegments: ReadonlySet<string>): (ended: EndedRequest) => void {
  const lines = requestLog(log);
  return ({ quiet, traceparent, route, path, ...fields }) => {
    const level = quiet ? 'debug' : 'info';
    if (!lines.isLevelEnabled(level)) return;
    const shown = {
      ...fields,
      traceId: traceIdOf(traceparent),
      path: shownPath(path, routeSegments),
      ...(fields.operation === undefined && { route }),
    };
    lines[level](shown, 'request');
  };
}
