import { randomInt } from 'node:crypto';
import { BASE62, type KeyKind, keyPrefixes, RANDOM_LENGTH, withChecksum } from '@joblisting/contracts';

/**
 * A new secret: the prefix of its kind, 32 base62 characters of 190 random bits, and their checksum (API
 * decisions, "Keys").
 * @param pick a uniform choice among `0..max-1`.
 */
export function newSecret(kind: KeyKind, pick: (max: number) => number = (max) => randomInt(max)): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(pick(BASE62.length))).join('');
  return withChecksum(keyPrefixes[kind] + random);
}
