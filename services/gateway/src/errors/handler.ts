import { ServiceError } from '@joblisting/contracts';
import type { Log } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';
import type { Addresses } from '../addresses.ts';
import { PRIVATE } from '../http/caching.ts';
import { drain } from '../http/drain.ts';
import { pathOf } from '../http/path.ts';
import { errorAnswer } from './answer.ts';

export interface ErrorAnswers {
  readonly addresses: Addresses;
  readonly log: Log;
  readonly bodyLimit: number;
}

/** How many bodies of the largest size are read only to be dropped. */
const DRAINED_LIMITS = 4;

/** Turns whatever is thrown into an error answer. */
export function answerErrors(server: FastifyInstance, { addresses, log, bodyLimit }: ErrorAnswers): void {
  server.setErrorHandler(async (thrown, request, reply) => {
    const { id: requestId, headers } = request;
    const error = refusalOf(thrown, requestId, log);
    // Else clients without keys that dribble a body would hold every place.
    request.call.leave();
    await drain(request.raw, reply.raw, DRAINED_LIMITS * bodyLimit);
    request.call.refusal = error.code;
    const refused = {
      instance: pathOf(request.originalUrl),
      requestId,
      accept: headers.accept,
      isPrivate: reply.getHeader('Cache-Control') === PRIVATE,
    };
    const answer = errorAnswer(error, refused, addresses);
    return reply.code(answer.status).headers(answer.headers).send(Buffer.from(answer.body));
  });
}

/**
 * What the client learns of whatever was thrown. Of what nobody expected that is no more than that it happened: it is
 * logged with its cause.
 */
export function refusalOf(thrown: unknown, requestId: string, log: Log): ServiceError {
  const error = toServiceError(thrown);
  if (error.code === 'internal' && error.cause !== undefined) {
    log.error({ err: error.cause, requestId }, 'a request failed');
  }
  return error;
}

function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const status = (thrown as { statusCode?: unknown }).statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new ServiceError(status === 404 ? 'path_not_found' : 'bad_request', undefined, { cause: thrown });
  }
  return new ServiceError('internal', undefined, { cause: thrown });
}
