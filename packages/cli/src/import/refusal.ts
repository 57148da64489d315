import type { JobListingError, Violation } from '@joblisting/client';

/** Why a posting was refused: by the API, with a status, or by the import, without one. */
export interface Refusal {
  readonly code: string;
  readonly detail: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly errors: readonly Violation[];
}

export function refusalOf({ code, detail, status, requestId, violations }: JobListingError): Refusal {
  if (status === 0) return { code: 'unreachable', detail, errors: [] };
  return {
    code,
    detail,
    status,
    ...(requestId !== undefined && { requestId }),
    errors: violations,
  };
}
