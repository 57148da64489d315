import {
  type Conflict,
  errorCodes,
  LISTED_AT_MOST,
  type ServiceError,
  statusOf,
} from '@joblisting/contracts';
import type { Addresses } from '../addresses.ts';
import { JSON_TYPE, PROBLEM_TYPE } from './headers.ts';

export interface Occurrence {
  /** The request's path, without its query. */
  readonly instance: string;
  readonly requestId: string;
  /** Set where HTTP itself has a status that differs from the code's own. */
  readonly status?: number;
}

/** An error as one object that is the spec's envelope and a problem detail at once (RFC 9457, section 3). */
export function problemOf(error: ServiceError, occurrence: Occurrence, addresses: Addresses) {
  const { code, message, errors, conflict, snapshot, reason } = error;
  return {
    data: null,
    warnings: [],
    type: addresses.errorType(code),
    title: errorCodes[code].title,
    status: occurrence.status ?? statusOf(code),
    detail: message,
    instance: occurrence.instance,
    code,
    ...(reason && { reason }),
    requestId: occurrence.requestId,
    errors: errors.slice(0, LISTED_AT_MOST),
    ...(conflict && { conflict: shownConflict(conflict, addresses) }),
    ...(snapshot && { snapshot: addresses.of(`/jobs/changes?company.id=${snapshot.companyId}`) }),
  };
}

/** The existing resource by its address, with the properties of it that are in the way. */
function shownConflict({ resource, id, ...properties }: Conflict, addresses: Addresses) {
  return { id, href: addresses.conflict({ resource, id }), ...properties };
}

/**
 * The media type of an error answer. The client must ask for application/problem+json by name, and not prefer
 * application/json (API decisions, "Errors").
 */
export const errorTypeFor = (accept: string | undefined): string =>
  asksFor(accept, PROBLEM_TYPE) ? PROBLEM_TYPE : JSON_TYPE;

/** Whether an Accept header has the media type by name, and does not prefer application/json. */
export function asksFor(accept: string | undefined, type: string): boolean {
  if (!accept?.toLowerCase().includes(type)) return false;
  const quality = qualityOf(accept, type) ?? 0;
  return quality > 0 && quality >= (qualityOf(accept, 'application/json') ?? 0);
}

/** The weight that a media type has by name in an Accept header (RFC 9110, section 12.5.1). */
function qualityOf(accept: string, type: string): number | undefined {
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((piece) => piece.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight);
    return Number.isNaN(quality) ? 0 : quality;
  }
  return undefined;
}
