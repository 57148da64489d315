import { hashSecret, type Key, type KeyKind, ServiceError, type Scope } from '@joblisting/contracts';
import { newSecret } from './secret.ts';

/** A secret as it is kept: its SHA-256 only. Times are in epoch milliseconds; null expiry: never. */
export interface StoredSecret {
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

/** A key of a consumer or a user. `expiresAt` ends the whole key; a rotation ends the old secret earlier. */
export interface StoredKey {
  readonly id: number;
  readonly kind: KeyKind;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly companyIds: readonly number[];
  readonly readsPerMinute: number | null;
  readonly writesPerMinute: number | null;
  readonly secrets: readonly StoredSecret[];
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

/** The most live secrets of a key (API decisions, "Keys"). */
const LIVE_SECRETS = 2;

/** A new secret, and the form in which it is kept. */
export function makeSecret(kind: KeyKind, createdAt: number, expiresAt: number | null) {
  const secret = newSecret(kind);
  const stored: StoredSecret = {
    hash: hashSecret(secret),
    lastFour: secret.slice(-4),
    createdAt,
    expiresAt,
    lastUsedAt: null,
  };
  return { secret, stored };
}

export const isLive = ({ expiresAt }: Pick<StoredSecret, 'expiresAt'>, now: number): boolean =>
  expiresAt === null || expiresAt > now;

/**
 * Adds a secret to a key. The previous secret stays valid for the grace period, but not beyond its own expiry; expired
 * ones are dropped. Throws `key_not_found` for a revoked or expired key, `rotation_in_progress` if two secrets are
 * live.
 */
export function rotated(key: StoredKey, added: StoredSecret, graceMs: number): readonly StoredSecret[] {
  const now = added.createdAt;
  if (key.revokedAt !== null) throw new ServiceError('key_not_found', `Key ${key.id} is revoked.`);
  if (!isLive(key, now)) throw new ServiceError('key_not_found', `Key ${key.id} has expired.`);
  const live = key.secrets.filter((secret) => isLive(secret, now));
  if (live.length >= LIVE_SECRETS) throw new ServiceError('rotation_in_progress', inRotation(key.id, live));
  return [...live.map((secret) => endingBy(secret, now + graceMs)), added];
}

function inRotation(id: number, live: readonly StoredSecret[]): string {
  const ends = live.flatMap(({ expiresAt }) => expiresAt ?? []);
  return `Key ${id} has two live secrets until ${timestamp(Math.min(...ends))}.`;
}

const endingBy = (secret: StoredSecret, end: number): StoredSecret => ({
  ...secret,
  expiresAt: Math.min(end, secret.expiresAt ?? Number.POSITIVE_INFINITY),
});

/** The key as operators see it. */
export const toKey = (key: StoredKey): Key => ({
  id: key.id,
  kind: key.kind,
  name: key.name,
  scopes: [...key.scopes],
  companyIds: [...key.companyIds],
  readsPerMinute: key.readsPerMinute,
  writesPerMinute: key.writesPerMinute,
  secrets: key.secrets.map(({ lastFour, createdAt, expiresAt, lastUsedAt }) => ({
    lastFour,
    createdAt: timestamp(createdAt),
    expiresAt: expiresAt === null ? null : timestamp(expiresAt),
    lastUsedAt: lastUsedAt === null ? null : timestamp(lastUsedAt),
  })),
  revokedAt: key.revokedAt === null ? null : timestamp(key.revokedAt),
});

export const timestamp = (at: number): string => new Date(at).toISOString();
