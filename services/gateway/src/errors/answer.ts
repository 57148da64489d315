import { errorCodes, type ServiceError } from '@joblisting/contracts';
import type { Addresses } from '../addresses.ts';
import { PRIVATE } from '../http/caching.ts';
import { errorTypeFor } from './accept.ts';
import { problemOf } from './problem.ts';
import { statusOf } from './statuses.ts';

/** The request that is refused. */
export interface Refused {
  /** Its path, without its query. */
  readonly instance: string;
  readonly requestId: string;
  /** Its Accept header. */
  readonly accept: string | undefined;
  /** Whether it was for an operation that needs keys. */
  readonly isPrivate: boolean;
}

/** An error as HTTP has it: its status, the headers that are its own, and its body as JSON. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const CHALLENGE = 'Basic realm="Job Listing Service"';

/** What a refusal looks like to whoever gets it (API decisions, "Errors"). */
export function errorAnswer(error: ServiceError, refused: Refused, addresses: Addresses): ErrorAnswer {
  const { instance, requestId, accept, isPrivate } = refused;
  const { kind } = errorCodes[error.code];
  const retryAfter = error.retryAfterSeconds ?? (kind === 'unavailable' ? 1 : undefined);
  return {
    status: statusOf(error.code),
    headers: {
      ...(kind === 'unauthenticated' && { 'www-authenticate': CHALLENGE }),
      ...(retryAfter !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }),
      'cache-control': isPrivate ? PRIVATE : 'no-store',
      'content-type': errorTypeFor(accept),
    },
    body: JSON.stringify(problemOf(error, { instance, requestId }, addresses)),
  };
}
