import { errorCodes, ServiceError, statusOf } from '@joblisting/contracts';
import type { Log } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';
import type { Addresses } from '../addresses.ts';
import { drain } from './body.ts';
import { PRIVATE } from './headers.ts';
import { errorTypeFor, type Occurrence, problemOf } from './problem.ts';
import { pathOf } from './rewrite.ts';

interface ErrorOptions {
  readonly addresses: Addresses;
  readonly log: Log;
  /** Of routes without their own. */
  readonly bodyLimit: number;
}

/** How many bodies of the largest size are read only to be dropped. */
const DRAINED_LIMITS = 4;
const CHALLENGE = 'Basic realm="Job Listing Service"';

/** Turns whatever is thrown into an error answer (API decisions, "Errors"). */
export function answerErrors(server: FastifyInstance, { addresses, log, bodyLimit }: ErrorOptions): void {
  server.setErrorHandler(async (thrown, request, reply) => {
    const { id: requestId, state, routeOptions } = request;
    const error = toServiceError(thrown);
    if (error.code === 'internal' && error.cause !== undefined) {
      log.error({ err: error.cause, requestId }, 'a request failed');
    }
    state.error = error;
    // A client without keys that sends its body slowly must not hold a place.
    state.release();
    const { bodyLimit: limit = bodyLimit } = routeOptions.config;
    await drain(request.raw, reply.raw, DRAINED_LIMITS * limit);
    const isPrivate = reply.getHeader('Cache-Control') === PRIVATE;
    const { originalUrl, headers: sent } = request;
    const occurrence = { instance: pathOf(originalUrl), requestId, accept: sent.accept };
    const { status, headers, body } = errorAnswer(error, occurrence, addresses);
    reply.code(status).headers(headers);
    if (isPrivate) reply.header('cache-control', PRIVATE);
    return reply.send(body);
  });
}

/** Status, headers and body of an error answer. */
export function errorAnswer(
  error: ServiceError,
  { accept, ...occurrence }: Occurrence & { readonly accept: string | undefined },
  addresses: Addresses,
) {
  return {
    status: statusOf(error.code),
    headers: {
      ...headersOf(error),
      'cache-control': 'no-store',
      'content-type': errorTypeFor(accept),
    },
    body: Buffer.from(JSON.stringify(problemOf(error, occurrence, addresses))),
  };
}

function headersOf({ code, retryAfterSeconds }: ServiceError): Record<string, string> {
  const { kind } = errorCodes[code];
  const retryAfter = retryAfterSeconds ?? (kind === 'unavailable' ? 1 : undefined);
  return {
    ...(kind === 'unauthenticated' && { 'www-authenticate': CHALLENGE }),
    ...(retryAfter !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }),
  };
}

function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const status = (thrown as { statusCode?: unknown }).statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new ServiceError(status === 404 ? 'path_not_found' : 'bad_request', undefined, { cause: thrown });
  }
  return new ServiceError('internal', undefined, { cause: thrown });
}
