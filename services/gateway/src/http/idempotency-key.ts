import { ServiceError, type ViolationCode } from '@joblisting/contracts';

export const LONGEST_KEY = 255;
export const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * The Idempotency-Key as it was sent (API decisions, "Idempotency-Key"). A header that is there twice arrives as both
 * values with a comma and a space between them, and the space is not allowed. Throws `invalid_header`.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = String(header);
  const code = faultOf(key);
  if (code === undefined) return key;
  const detail = `Idempotency-Key must be there once, with 1 to ${LONGEST_KEY} visible ASCII characters.`;
  throw new ServiceError('invalid_header', detail, {
    errors: [{ header: 'Idempotency-Key', code, detail }],
  });
}

function faultOf(key: string): ViolationCode | undefined {
  if (key === '') return 'too_short';
  if (!VISIBLE_ASCII.test(key)) return 'invalid_characters';
  return key.length > LONGEST_KEY ? 'too_long' : undefined;
}
