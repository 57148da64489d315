import { errorCodes, ServiceError } from '@joblisting/contracts';
import type { Log } from '@joblisting/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Addresses } from '../addresses.ts';
import { pathOf } from '../http/path.ts';
import { errorTypeFor } from './accept.ts';
import { problemOf } from './problem.ts';
import { statusOf } from './statuses.ts';

const CHALLENGE = 'Basic realm="Job Listing Service", charset="UTF-8"';

/**
 * Turns whatever is thrown into an error answer. What nobody expected is logged with its cause, and the client
 * learns only that it happened.
 */
export function answerErrors(server: FastifyInstance, addresses: Addresses, log: Log): void {
  server.setErrorHandler((thrown, request, reply) => {
    const error = toServiceError(thrown);
    if (error.code === 'internal' && error.cause !== undefined) {
      log.error({ err: error.cause, requestId: request.id }, 'a request failed');
    }
    return sendError(error, request, reply, addresses);
  });
}

function sendError(error: ServiceError, request: FastifyRequest, reply: FastifyReply, addresses: Addresses) {
  const problem = problemOf(
    error,
    { instance: pathOf(request.originalUrl), requestId: request.id },
    addresses,
  );
  request.call.refusal = error.code;
  const { kind } = errorCodes[error.code];
  if (kind === 'unauthenticated') reply.header('WWW-Authenticate', CHALLENGE);
  const retryAfter = error.retryAfterSeconds ?? (kind === 'unavailable' ? 1 : undefined);
  if (retryAfter !== undefined) reply.header('Retry-After', Math.max(1, Math.ceil(retryAfter)));
  if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
  return reply
    .code(statusOf(error.code))
    .type(errorTypeFor(request.headers.accept))
    .send(JSON.stringify(problem));
}

function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const status = (thrown as { statusCode?: unknown }).statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new ServiceError(status === 404 ? 'path_not_found' : 'bad_request', undefined, { cause: thrown });
  }
  return new ServiceError('internal', undefined, { cause: thrown });
}
