import { hash } from 'node:crypto';
import { type Static, Type } from 'typebox';

export const scopes = ['jobs:read', 'jobs:write', 'categories:write', 'metrics:write'] as const;
export const Scope = Type.Unsafe<(typeof scopes)[number]>({ type: 'string', enum: [...scopes] });
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

/** SHA-256 in lower-case hex. Secrets are stored and sent over the bus in this form only. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}
