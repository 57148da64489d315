import { type Static, Type } from 'typebox';
import { operationsOf } from './define.ts';
import { Int32, NoParams, Nullable, OneOf, Text } from './fields.ts';
import type { Event } from './operation.ts';
import { Principal, Scope, scopes } from './principal.ts';

const operation = operationsOf('accounts');
const Timestamp = Type.String({ format: 'date-time' });
const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the secret, lower-case hex.',
});

const RatePerMinute = Nullable(Type.Integer(), {
  description: 'Requests a minute; null: as the gateway has it. A user key has no limit of its own.',
});

export const Company = Type.Object({ id: Int32(), name: Text(256, { visible: true }) });
export type Company = Static<typeof Company>;

/**
 * For the gateway: identifies the caller by its secrets. Unknown, expired and revoked secrets are all
 * `unauthenticated`, in the same time. Do not cache the reply beyond `expiresAt`.
 */
export const resolveGrants = operation('grants.resolve', {
  summary: 'Identify the caller by a pair of keys',
  params: NoParams,
  body: Type.Object({ consumer: Sha256, user: Nullable(Sha256) }),
  reply: Type.Object({
    principal: Principal,
    keyIds: Type.Array(Int32()),
    expiresAt: Nullable(Timestamp),
    readsPerMinute: RatePerMinute,
    writesPerMinute: RatePerMinute,
  }),
  errors: ['unauthenticated'],
});

export const getCompany = operation('companies.get', {
  summary: 'Read one company',
  params: Type.Object({ id: Int32() }),
  body: undefined,
  reply: Company,
  errors: ['company_not_found'],
});

export const createCompany = operation('companies.create', {
  summary: 'Create a company',
  params: NoParams,
  body: Type.Object({ name: Text(256, { visible: true }) }),
  reply: Company,
  errors: ['company_name_taken'],
});

export const listCompanies = operation('companies.list', {
  summary: 'List the companies by id',
  params: NoParams,
  body: undefined,
  reply: Type.Array(Company),
});

/** The company's jobs show the new name within seconds. */
export const renameCompany = operation('companies.rename', {
  summary: 'Give a company another name',
  params: Type.Object({ id: Int32() }),
  body: Type.Object({ name: Text(256, { visible: true }) }),
  reply: Company,
  errors: ['company_not_found', 'company_name_taken'],
});

/**
 * Deletes a company without jobs and applications; otherwise `company_not_empty` says how many there are. A user key that
 * grants only this company is revoked, another one loses it (`narrowedKeyIds`). Some seconds later its custom categories
 * are removed; a job that was created meanwhile brings the company back instead, without its keys. A repetition changes
 * nothing and gets the same reply.
 */
export const deleteCompany = operation('companies.delete', {
  summary: 'Delete a company that has no jobs and no applications',
  params: Type.Object({ id: Int32() }),
  body: undefined,
  reply: Type.Object({
    id: Int32(),
    revokedKeyIds: Type.Array(Int32()),
    narrowedKeyIds: Type.Array(Int32()),
  }),
  errors: ['company_not_found', 'company_not_empty'],
});

/** A key as operators see it, without its secrets. `lastFour` tells two secrets apart. */
export const Key = Type.Object({
  id: Int32(),
  kind: OneOf(['consumer', 'user']),
  name: Type.String(),
  scopes: Type.Array(Scope),
  companyIds: Type.Array(Int32()),
  readsPerMinute: RatePerMinute,
  writesPerMinute: RatePerMinute,
  secrets: Type.Array(
    Type.Object({
      lastFour: Type.String(),
      createdAt: Timestamp,
      expiresAt: Nullable(Timestamp),
      lastUsedAt: Nullable(Timestamp),
    }),
  ),
  revokedAt: Nullable(Timestamp),
});
export type Key = Static<typeof Key>;

/** A key with its new secret. No other reply contains a secret. */
export const IssuedKey = Type.Object({ key: Key, secret: Type.String() });
export type IssuedKey = Static<typeof IssuedKey>;

/** The highest rate limit of a consumer, in requests a minute. */
export const MOST_PER_MINUTE = 10_000_000;

const NewRatePerMinute = Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: MOST_PER_MINUTE })));

export const issueConsumerKey = operation('keys.issue-consumer', {
  summary: 'Issue a key to an integrating application',
  params: NoParams,
  body: Type.Object({
    name: Text(256, { visible: true }),
    scopes: Type.Array(Scope, { minItems: 1, maxItems: scopes.length }),
    expiresAt: Type.Optional(Nullable(Timestamp)),
    readsPerMinute: NewRatePerMinute,
    writesPerMinute: NewRatePerMinute,
  }),
  reply: IssuedKey,
});

export const issueUserKey = operation('keys.issue-user', {
  summary: 'Issue a key to a person or system of a company',
  params: NoParams,
  body: Type.Object({
    name: Text(256, { visible: true }),
    companyIds: Type.Array(Int32(), { minItems: 1, maxItems: 500 }),
    expiresAt: Type.Optional(Nullable(Timestamp)),
  }),
  reply: IssuedKey,
  errors: ['validation_failed'],
});

/** Adds a second secret. The first one stays valid for `graceSeconds`. */
export const rotateKey = operation('keys.rotate', {
  summary: 'Give a key a new secret beside its old one',
  params: Type.Object({ id: Int32() }),
  body: Type.Object({ graceSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 90 * 24 * 3600 })) }),
  reply: IssuedKey,
  errors: ['key_not_found', 'rotation_in_progress'],
});

/** Revokes a key with all its secrets. Every gateway rejects it within 5 seconds. */
export const revokeKey = operation('keys.revoke', {
  summary: 'Revoke a key',
  params: Type.Object({ id: Int32() }),
  body: undefined,
  reply: Key,
  errors: ['key_not_found'],
});

export const listKeys = operation('keys.list', {
  summary: 'List the keys by id',
  params: NoParams,
  body: undefined,
  reply: Type.Array(Key),
});

const KeyRevoked = Type.Object({ keyId: Int32() });

/** Sent without a stream: a gateway that misses it drops the cached grants after 5 seconds. */
export const keyRevoked: Event<Static<typeof KeyRevoked>> = {
  subject: 'accounts.v1.event.key-revoked',
  stream: '',
  summary: 'A key was revoked',
  payload: KeyRevoked,
};

const CompanyChanged = Type.Object({ companyId: Int32() });

/** Sent without a stream: listeners can miss it, so their caches need a maximum age too. */
export const companyChanged: Event<Static<typeof CompanyChanged>> = {
  subject: 'accounts.v1.event.company-changed',
  stream: '',
  summary: 'A company was renamed or deleted',
  payload: CompanyChanged,
};
