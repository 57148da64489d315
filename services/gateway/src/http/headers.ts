import { MIMEType } from 'node:util';
import { type Deprecation, ServiceError, type ViolationCode } from '@joblisting/contracts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json';
export const NDJSON_TYPE = 'application/x-ndjson';

/** Cache-Control of answers to keys: only their owner may keep them, and revalidates (API decisions, "Caching"). */
export const PRIVATE = 'private, no-cache';
/** Cache-Control of public answers. */
export const PUBLIC = 'public, no-cache';

/** Says that an operation goes away, from when on, and why (RFC 9745; RFC 8594). */
export const deprecationHeaders = ({ since, sunset, link }: Deprecation): Record<string, string> => ({
  Deprecation: `@${Date.parse(since) / 1000}`,
  Sunset: new Date(sunset).toUTCString(),
  Link: `<${link}>; rel="deprecation"; type="text/html"`,
});

/** The longest Content-Type that services take. */
const LONGEST_CONTENT_TYPE = 512;

/** On every answer to a dry run. */
export const DRY_RUN = 'Dry-Run';

export const LONGEST_KEY = 255;
export const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * The media type of a Content-Type header in lower case without parameters, where its charset is absent or
 * utf-8 (API decisions, "Content-Type"); undefined for any other header.
 */
export function mediaTypeOf(header: string | undefined): string | undefined {
  if (header === undefined || header.length > LONGEST_CONTENT_TYPE) return undefined;
  try {
    const { essence, params } = new MIMEType(header);
    const charset = params.get('charset')?.toLowerCase();
    return charset === undefined || charset === 'utf-8' ? essence : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The Idempotency-Key as it was sent (API decisions, "Idempotency-Key"). Node joins a repeated header with a comma
 * and a space, and the space is refused. Throws `invalid_header`.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = String(header);
  const code = violationOf(key);
  if (code === undefined) return key;
  const detail = `Idempotency-Key must be there once, with 1 to ${LONGEST_KEY} visible ASCII characters.`;
  throw new ServiceError('invalid_header', detail, {
    errors: [{ header: 'Idempotency-Key', code, detail }],
  });
}

function violationOf(key: string): ViolationCode | undefined {
  if (key === '') return 'too_short';
  if (!VISIBLE_ASCII.test(key)) return 'invalid_characters';
  return key.length > LONGEST_KEY ? 'too_long' : undefined;
}
