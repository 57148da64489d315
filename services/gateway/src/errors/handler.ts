import { errorCodes, ServiceError } from '@joblisting/contracts';
import type { Log } from '@joblisting/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Addresses } from '../addresses.ts';
import { PRIVATE } from '../http/caching.ts';
import { drain } from '../http/drain.ts';
import { pathOf } from '../http/path.ts';
import { errorTypeFor } from './accept.ts';
import { problemOf } from './problem.ts';
import { statusOf } from './statuses.ts';

export interface ErrorAnswers {
  readonly addresses: Addresses;
  readonly log: Log;
  readonly bodyLimit: number;
}

/** How many bodies of the largest size are read only to be dropped. */
const DRAINED_LIMITS = 4;
const CHALLENGE = 'Basic realm="Job Listing Service"';

/**
 * Turns whatever is thrown into an error answer. What nobody expected is logged with its cause, and the client
 * learns only that it happened.
 */
export function answerErrors(server: FastifyInstance, { addresses, log, bodyLimit }: ErrorAnswers): void {
  server.setErrorHandler(async (thrown, request, reply) => {
    const error = toServiceError(thrown);
    if (error.code === 'internal' && error.cause !== undefined) {
      log.error({ err: error.cause, requestId: request.id }, 'a request failed');
    }
    // Else clients without keys that dribble a body would hold every place.
    request.call.leave();
    await drain(request.raw, reply.raw, DRAINED_LIMITS * bodyLimit);
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
  if (reply.getHeader('Cache-Control') !== PRIVATE) reply.header('Cache-Control', 'no-store');
  return reply
    .code(statusOf(error.code))
    .header('Content-Type', errorTypeFor(request.headers.accept))
    .send(Buffer.from(JSON.stringify(problem)));
}

function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const status = (thrown as { statusCode?: unknown }).statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new ServiceError(status === 404 ? 'path_not_found' : 'bad_request', undefined, { cause: thrown });
  }
  return new ServiceError('internal', undefined, { cause: thrown });
}
