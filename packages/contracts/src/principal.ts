import { type Static, Type } from 'typebox';

export const scopes = ['jobs:read', 'jobs:write', 'categories:write', 'metrics:write'] as const;
export const Scope = Type.Unsafe<(typeof scopes)[number]>({ type: 'string', enum: [...scopes] });
export type Scope = Static<typeof Scope>;

/**
 * Who asks: the consumer key's owner with its scopes, and, where a user key was sent, the companies that it
 * grants. The right is the intersection (API decisions, "Keys").
 */
export const Principal = Type.Object({
  consumerId: Type.Integer(),
  scopes: Type.Array(Scope),
  userId: Type.Union([Type.Integer(), Type.Null()]),
  companyIds: Type.Array(Type.Integer()),
});
export type Principal = Static<typeof Principal>;
