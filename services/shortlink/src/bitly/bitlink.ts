import { isWebUrl } from '@joblisting/service-kit';
import { URL_MAX_LENGTH } from '../addresses.ts';

/** A link at bitly: `id` is `<domain>/<hash>`, `url` what is given to readers. */
export interface Bitlink {
  readonly id: string;
  readonly url: string;
}

/** Nothing in an id may lead a DELETE to another place of bitly's API. */
const ID = /^[\p{L}\p{N}][\p{L}\p{N}.-]*(:\d+)?\/[\p{L}\p{N}_-]+$/u;

/**
 * The link in the body of an answer; undefined where it holds none that a job's url could be, or one that the id is
 * not of: what is given to readers could not be removed by it. Never throws.
 */
export function bitlinkIn(body: string): Bitlink | undefined {
  const { id, link } = recordIn(body);
  if (typeof id !== 'string' || id.length > URL_MAX_LENGTH || !ID.test(id)) return undefined;
  if (typeof link !== 'string' || link.length > URL_MAX_LENGTH || !isWebUrl(link)) return undefined;
  if (URL.parse(link)?.search !== '' || !link.endsWith(id.slice(id.indexOf('/')))) return undefined;
  return { id, url: link };
}

/**
 * What bitly says is wrong, such as INVALID_ARG_LONG_URL; undefined where that is not one of its codes: free text
 * from outside does not go into the log, it could repeat the token.
 */
export function errorCodeIn(body: string): string | undefined {
  const { message } = recordIn(body);
  return typeof message === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(message) ? message : undefined;
}

function recordIn(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
