import { hash } from 'node:crypto';

export const keyPrefixes = { consumer: 'jlc_', user: 'jlu_' } as const;

/** The SHA-256 of a key's secret as lower-case hex: the only form in which it is stored or crosses the bus. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}
