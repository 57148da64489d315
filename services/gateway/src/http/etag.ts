import { hash } from 'node:crypto';
import type { IfMatch } from '@joblisting/contracts';
import { ServiceError } from '@joblisting/contracts';
import { parseTags } from '@joblisting/service-kit/http';
import type { Static } from 'typebox';

/** Only a read may be answered so (RFC 9110, section 13.1.2). */
export const NOT_MODIFIED = 304;

/** `"<version>-<digest of the data>"` (API decisions, "ETag"). Counts change the digest, not the version. */
export function entityTag(version: number, data: Uint8Array): string {
  return `"${version}-${hash('sha256', data, 'base64url').slice(0, 16)}"`;
}

/**
 * Parses If-Match for the operations. Weak tags never match (RFC 9110, section 13.1.1), nor do tags that are not
 * of this service. Throws `invalid_header` unless it is a list of entity tags.
 */
export function readIfMatch(header: string | undefined): Static<typeof IfMatch> | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return { any: true, versions: [] };
  const tags = parseTags(header);
  if (!tags || tags.length === 0) {
    const detail = 'If-Match takes * or a list of entity tags, each in double quotes.';
    throw new ServiceError('invalid_header', detail, {
      errors: [{ header: 'If-Match', code: 'invalid_value', detail }],
    });
  }
  const versions = tags.flatMap((tag) => {
    const version = /^"(0|[1-9]\d{0,14})-/.exec(tag)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
  return { any: false, versions };
}
