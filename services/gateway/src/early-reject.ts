import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { overloaded } from '@joblisting/contracts';
import { readTraceparent } from '@joblisting/service-kit';
import type { Addresses } from './addresses.ts';
import { errorAnswer } from './http/errors.ts';
import type { EndedRequest } from './http/request-log.ts';
import { continueTrace, requestIdOf } from './http/request-state.ts';
import { pathOf } from './http/rewrite.ts';
import { ownerOfPath } from './routes/table.ts';

export interface EarlyRejectDeps {
  readonly addresses: Addresses;
  /** Headers of every answer. */
  readonly commonHeaders: Readonly<Record<string, string>>;
  readonly isFull: (owner: string) => boolean;
  readonly onEnd: (ended: EndedRequest) => void;
}

/**
 * Rejects requests before routing while all places of their service are taken: at three times the capacity most requests
 * are refused, and this way a refusal costs a third. It only refuses; what it lets through meets the same limit again.
 */
export function earlyReject({ addresses, commonHeaders, isFull, onEnd }: EarlyRejectDeps) {
  const error = overloaded('gateway_concurrency');
  const { code: outcome, reason } = error;

  return (handle: RequestListener): RequestListener =>
    (request, response) => {
      const { method = '', headers: sent, url = '/' } = request;
      const path = pathOf(url);
      const owner = method === 'OPTIONS' ? undefined : ownerOfPath(path);
      if (!owner || !isFull(owner) || mustDrain(request, response)) return handle(request, response);

      const requestId = requestIdOf(request);
      const traceparent = continueTrace(readTraceparent(sent['traceparent']));
      const occurrence = { instance: path, requestId, accept: sent.accept };
      const { status, headers, body } = errorAnswer(error, occurrence, addresses);
      const ids = { 'request-id': requestId, traceparent };
      response.writeHead(status, { ...commonHeaders, ...ids, ...headers, 'content-length': body.length });
      response.end(method === 'HEAD' ? undefined : body);
      // Behind a proxy this is the proxy's address, because only fastify reads X-Forwarded-For.
      const clientAddress = request.socket.remoteAddress;
      onEnd({
        requestId,
        traceparent,
        method,
        path,
        status,
        outcome,
        reason,
        durationMs: 0,
        clientAddress,
      });
    };
}

/** A connection that closes with an unread body is reset, and the client never sees the answer. */
const mustDrain = ({ headers }: IncomingMessage, { shouldKeepAlive }: ServerResponse): boolean =>
  !shouldKeepAlive && (headers['content-length'] ?? headers['transfer-encoding']) !== undefined;
