import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { keyPrefixes } from '@joblisting/contracts';

export type KeyKind = keyof typeof keyPrefixes;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * A new secret: the prefix of its kind, 32 base62 characters of 190 random bits, and their checksum (API
 * decisions, "Keys").
 * @param pick a uniform choice among `0..max-1`.
 */
export function newSecret(kind: KeyKind, pick: (max: number) => number = (max) => randomInt(max)): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(pick(ALPHABET.length))).join('');
  const checked = keyPrefixes[kind] + random;
  return checked + checksumOf(checked);
}

/**
 * The kind of key that a text is a well-formed secret of, or undefined. Without a look-up, so that a scanner can tell
 * a leaked secret from a chance likeness; only the store knows whether it is good.
 */
export function checkSecret(text: string): KeyKind | undefined {
  const kind = (['consumer', 'user'] as const).find((one) => text.startsWith(keyPrefixes[one]));
  if (!kind || !SHAPE.test(text.slice(keyPrefixes[kind].length))) return undefined;
  const checked = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(checksumOf(checked)) ? kind : undefined;
}

/** CRC-32 (ISO 3309, as in zlib) of all that comes before, in base62, most significant first, padded with 0. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
