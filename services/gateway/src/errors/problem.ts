import { errorCodes, LISTED_AT_MOST, type ServiceError } from '@joblisting/contracts';
import type { Addresses } from '../addresses.ts';
import { statusOf } from './statuses.ts';

export interface Occurrence {
  /** The request's path, without its query. */
  readonly instance: string;
  readonly requestId: string;
  /** Where it differs from the code's own: what HTTP itself has a status for. */
  readonly status?: number;
}

/** An error as one object that is the spec's envelope and a problem detail at once (RFC 9457, section 3). */
export function problemOf(error: ServiceError, occurrence: Occurrence, addresses: Addresses) {
  const { code, message, errors, conflict } = error;
  return {
    data: null,
    warnings: [],
    type: addresses.errorType(code),
    title: errorCodes[code].title,
    status: occurrence.status ?? statusOf(code),
    detail: message,
    instance: occurrence.instance,
    code,
    requestId: occurrence.requestId,
    errors: errors.slice(0, LISTED_AT_MOST),
    ...(conflict && { conflict: { id: conflict.id, href: addresses.conflict(conflict) } }),
  };
}
