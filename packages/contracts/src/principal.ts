import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Static, Type } from 'typebox';

export const scopes = [
  'jobs:read',
  'jobs:write',
  'categories:write',
  'metrics:write',
  'applications:read',
  'applications:write',
  'events:read',
  'webhooks:write',
] as const;
/** An open enumeration: readers look for the scopes that they know, so an old one grants nothing by a new scope. */
export const Scope = Type.Unsafe<(typeof scopes)[number]>({
  type: 'string',
  enum: [...scopes],
  'x-open-enum': true,
});
export type Scope = Static<typeof Scope>;

/**
 * The caller: the consumer with its scopes and, with a user key, the companies that the key grants. Both must allow a
 * request (API decisions, "Keys").
 */
export const Principal = Type.Object({
  consumerId: Type.Integer(),
  scopes: Type.Array(Scope),
  userId: Type.Union([Type.Integer(), Type.Null()]),
  companyIds: Type.Array(Type.Integer()),
});
export type Principal = Static<typeof Principal>;

export const keyPrefixes = { consumer: 'jlc_', user: 'jlu_' } as const;
export type KeyKind = keyof typeof keyPrefixes;

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Random characters of a secret, between its prefix and its checksum. */
export const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * The kind of key that a text is a well-formed secret of, or undefined. Without a look-up, so that a scanner can tell
 * a leaked secret from a chance likeness; only the store knows whether it is good.
 */
export function checkSecret(text: string): KeyKind | undefined {
  const kind = (['consumer', 'user'] as const).find((one) => text.startsWith(keyPrefixes[one]));
  if (!kind || !SHAPE.test(text.slice(keyPrefixes[kind].length))) return undefined;
  const checked = text.slice(0, -CHECKSUM_LENGTH);
  return text === withChecksum(checked) ? kind : undefined;
}

/** Appends the CRC-32 (ISO 3309, as in zlib) of a text, in base62, most significant first, padded with 0. */
export function withChecksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return text + digits;
}

/** SHA-256 in lower-case hex. Secrets are stored and sent over the bus in this form only. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}
