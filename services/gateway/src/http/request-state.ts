import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { CallContext } from '@joblisting/bus';
import type { Principal, ServiceError } from '@joblisting/contracts';
import {
  readTraceparent,
  type Span,
  type TraceParent,
  traceparentOf,
  type Tracing,
  writeTraceparent,
} from '@joblisting/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What the gateway knows of a request, besides what fastify does. */
export interface RequestState {
  /** `performance.now()` at arrival. */
  readonly arrivedAt: number;
  readonly traceparent: string;
  /** Set where its trace is recorded. */
  readonly span: Span | undefined;
  /** Epoch milliseconds after which nobody works on it any more. */
  deadline: number;
  principal: Principal | undefined;
  /** The parameter `company.id`, for the log. */
  companyId: number | undefined;
  /** The job that the request names or writes, for the log. */
  jobId: number | undefined;
  /** The application that it names or writes. */
  applicationId: number | undefined;
  /** The error that it was answered with. */
  error: ServiceError | undefined;
  /** The service whose call failed. */
  callee: string | undefined;
  /** Why its keys were refused, for the log. */
  refusedKeys: string | undefined;
  /**
   * Acquires places among the requests that are worked on, as many as the body's size asks for. Throws `overloaded`
   * or `consumer_concurrency` where there is none.
   */
  acquire: (bodyBytes: number) => void;
  release: () => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
  }
  interface FastifyContextConfig {
    /** How long a request may take, where that is longer than others may. */
    timeoutMs?: number;
    /** How many bytes of a body count as much as one request, where that is less than of others. */
    bytesOfAPlace?: number;
  }
}

const SANE_ID = /^[\x21-\x7e]{1,64}$/;
const nothing = () => undefined;

/** The client's own request id where it sent a sane one, else a new one. */
export function requestIdOf(raw: IncomingMessage): string {
  const sent = raw.headers['request-id'] ?? raw.headers['x-request-id'];
  return typeof sent === 'string' && SANE_ID.test(sent) ? sent : newRequestId();
}

export const newRequestId = (): string => randomUUID();

/** Gives each request its state, and its answer the ids of request and trace. */
export function trackRequests(
  server: FastifyInstance,
  timeoutMs: number,
  tracing: Tracing | undefined,
): void {
  server.decorateRequest('state');
  server.addHook('onRequest', (request, reply, done) => {
    const { span, traceparent } = openTrace(request, tracing);
    const limitMs = Math.max(timeoutMs, request.routeOptions.config.timeoutMs ?? 0);
    request.state = {
      arrivedAt: performance.now(),
      traceparent,
      span,
      deadline: Date.now() + limitMs,
      principal: undefined,
      companyId: undefined,
      jobId: undefined,
      applicationId: undefined,
      error: undefined,
      callee: undefined,
      refusedKeys: undefined,
      acquire: nothing,
      release: nothing,
    };
    reply.header('Request-Id', request.id).header('traceparent', traceparent);
    done();
  });
}

/** The context of a bus request that is made for this HTTP request. */
export function contextOf(request: FastifyRequest): CallContext {
  const { deadline, principal, traceparent } = request.state;
  return { requestId: request.id, deadline, principal, traceparent };
}

/** Notes the service whose call failed, for the log. */
export async function called<T>(
  request: FastifyRequest,
  callee: string | undefined,
  call: Promise<T>,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    request.state.callee = callee;
    throw error;
  }
}

function openTrace(
  { headers, id, method, routeOptions }: FastifyRequest,
  tracing: Tracing | undefined,
): Pick<RequestState, 'span' | 'traceparent'> {
  const parent = readTraceparent(headers['traceparent']);
  const { config, url: route } = routeOptions;
  const attributes = {
    'http.request.method': method,
    'request.id': id,
    ...(route !== undefined && { 'http.route': route }),
  };
  const span = config.quiet
    ? undefined
    : tracing?.startRequest(`${method} ${route ?? 'unrouted'}`, attributes, parent);
  return { span, traceparent: span ? traceparentOf(span) : continueTrace(parent) };
}

/** At most 16 bytes. */
const randomHex = (bytes: number): string =>
  randomUUID()
    .replaceAll('-', '')
    .slice(0, 2 * bytes);

/**
 * The traceparent of an unrecorded request: the caller's trace id if it sent a valid one, else a new trace. Ignores the
 * caller's sampled flag: otherwise anybody could have all traces recorded.
 */
export function continueTrace(parent: TraceParent | undefined): string {
  return writeTraceparent({ traceId: parent?.traceId ?? randomHex(16), spanId: randomHex(8) }, false);
}
