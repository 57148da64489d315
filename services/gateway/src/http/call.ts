import type { IncomingMessage } from 'node:http';
import type { CallContext } from '@joblisting/bus';
import type { ErrorCode, Principal } from '@joblisting/contracts';
import { readTraceparent, type Span, traceparentOf, type Tracing } from '@joblisting/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Charge } from '../limits/rate-limits.ts';
import { randomText } from './random-text.ts';
import { continueTrace } from './trace.ts';

/** What the gateway knows of a request on its way, besides what fastify does. */
export interface Call {
  /** `performance.now()` at arrival. */
  readonly arrivedAt: number;
  readonly traceparent: string;
  /** Where its trace is recorded. */
  readonly span: Span | undefined;
  /** Epoch milliseconds after which nobody works on it any more. */
  deadline: number;
  principal: Principal | undefined;
  /** What it was held against, once its keys were found valid. */
  charge: Charge | undefined;
  /** The code of the refusal that was sent, if one was. */
  refusal: ErrorCode | undefined;
  /** Takes a place among the requests that are worked on. Throws `overloaded` where there is none. */
  enter: () => void;
  /** Gives its place to the next one. */
  leave: () => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call;
  }
}

const SANE_ID = /^[\x21-\x7e]{1,64}$/;

/** The client's own request id where it sent a sane one, else a new one. */
export function requestIdOf(raw: IncomingMessage): string {
  const sent = raw.headers['request-id'] ?? raw.headers['x-request-id'];
  return typeof sent === 'string' && SANE_ID.test(sent) ? sent : newRequestId();
}

export const newRequestId = (): string => randomText(12, 'base64url');

/** Opens a call for each request: deadline, trace, and the ids on its answer. */
export function openCalls(server: FastifyInstance, timeoutMs: number, tracing: Tracing | undefined): void {
  server.decorateRequest('call');
  server.addHook('onRequest', (request, reply, done) => {
    const { method, id: requestId, routeOptions } = request;
    const named = { method, route: routeOptions.url, requestId };
    const { span, traceparent } = openTrace(routeOptions.config.quiet ? undefined : tracing, request, named);
    request.call = {
      arrivedAt: performance.now(),
      traceparent,
      span,
      deadline: Date.now() + timeoutMs,
      principal: undefined,
      charge: undefined,
      refusal: undefined,
      enter: () => undefined,
      leave: () => undefined,
    };
    reply.header('Request-Id', request.id).header('traceparent', traceparent);
    done();
  });
}

interface Named {
  readonly method: string;
  readonly route: string | undefined;
  readonly requestId: string;
}

/** The part of a trace that is a request to the gateway; its span where it is recorded. */
export function openTrace(
  tracing: Tracing | undefined,
  { headers }: Pick<IncomingMessage, 'headers'>,
  { method, route, requestId }: Named,
): Pick<Call, 'span' | 'traceparent'> {
  const parent = readTraceparent(headers['traceparent']);
  const span = tracing?.startRequest(
    `${method} ${route ?? 'unrouted'}`,
    { 'http.request.method': method, 'http.route': route, 'request.id': requestId },
    parent,
  );
  return { span, traceparent: span ? traceparentOf(span) : continueTrace(parent) };
}

/** The context that goes over the bus with whatever the request asks for. */
export function contextOf(request: FastifyRequest): CallContext {
  const { deadline, principal, traceparent } = request.call;
  return { requestId: request.id, deadline, principal, traceparent };
}
