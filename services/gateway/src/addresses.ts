import type { Conflict, ErrorCode } from '@joblisting/contracts';

/** The version segment that every path of the API begins with (spec, "Versioning"). */
export const BASE_PATH = '/v1.0';

export interface Addresses {
  /** Origin and prefix, without a slash at the end. */
  readonly origin: string;
  /** Address of a path under /v1.0. */
  readonly of: (path: string) => string;
  /** The page that explains an error code (RFC 9457, section 3.1.1). */
  readonly errorType: (code: ErrorCode) => string;
  /** Address of the resource that a request conflicts with. */
  readonly conflict: (conflict: Conflict) => string;
}

const collections: Record<Conflict['resource'], string> = { job: '/jobs', category: '/jobcategories' };

/** Builds every absolute address that an answer carries (API decisions, "Location"). */
export function addressesAt(publicUrl: string): Addresses {
  const origin = publicUrl.replace(/\/+$/, '');
  const of = (path: string) => `${origin}${BASE_PATH}${path}`;
  return {
    origin,
    of,
    errorType: (code) => `${origin}/docs/errors#${code}`,
    conflict: ({ resource, id }) => of(`${collections[resource]}/${id}`),
  };
}
