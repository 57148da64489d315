import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { overloaded } from '@joblisting/contracts';
import { readTraceparent } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';
import type { Addresses } from './addresses.ts';
import { errorTypeFor, problemOf, statusOf } from './http/problem.ts';
import type { EndedRequest } from './http/request-log.ts';
import { continueTrace, requestIdOf } from './http/request-state.ts';
import { pathOf } from './http/rewrite.ts';

export interface EarlyRejectDeps {
  readonly addresses: Addresses;
  /** The service that requests to a path wait for; undefined for a path that no service owns. */
  readonly ownerOf: (path: string) => string | undefined;
  readonly isFull: (owner: string) => boolean;
  readonly onEnd: (ended: EndedRequest) => void;
}

/** Headers that each answer has a value of its own for. */
const OWN_HEADERS =
  /^(cache-control|connection|content-(length|type)$|date|keep-alive|request-id|traceparent)/;

/**
 * Rejects requests over the concurrency limit before routing: at three times the capacity most requests are refused, and
 * this way a refusal costs a third. It only refuses; what it lets through meets the same limit again.
 */
export function earlyReject({ addresses, ownerOf, isFull, onEnd }: EarlyRejectDeps) {
  const error = overloaded('gateway_concurrency');
  const status = statusOf(error.code);
  let common: Readonly<Record<string, unknown>> = {};

  const reject = (request: IncomingMessage, response: ServerResponse, path: string): void => {
    const { method = '', headers } = request;
    const requestId = requestIdOf(request);
    const traceparent = continueTrace(readTraceparent(headers['traceparent']));
    const body = JSON.stringify(problemOf(error, { instance: path, requestId }, addresses));
    response.writeHead(status, {
      ...common,
      'request-id': requestId,
      traceparent,
      'retry-after': '1',
      'cache-control': 'no-store',
      'content-type': errorTypeFor(headers.accept),
      'content-length': Buffer.byteLength(body),
    });
    response.end(method === 'HEAD' ? undefined : body);
    onEnd({
      requestId,
      traceparent,
      method,
      path,
      status,
      outcome: error.code,
      reason: error.reason,
      durationMs: 0,
    });
  };

  return {
    wrap:
      (handle: RequestListener): RequestListener =>
      (request, response) => {
        const path = pathOf(request.url ?? '/');
        const owner = request.method === 'OPTIONS' ? undefined : ownerOf(path);
        if (owner === undefined || !isFull(owner) || mustDrain(request, response)) handle(request, response);
        else reject(request, response, path);
      },

    /** Takes the headers that every answer has from the server itself. */
    learnHeaders: async (server: FastifyInstance): Promise<void> => {
      const { headers } = await server.inject('/healthz');
      common = Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name)));
    },
  };
}

/** A connection that closes with an unread body is reset, and the client never sees the answer. */
const mustDrain = ({ headers }: IncomingMessage, { shouldKeepAlive }: ServerResponse): boolean =>
  !shouldKeepAlive && (headers['content-length'] ?? headers['transfer-encoding']) !== undefined;
