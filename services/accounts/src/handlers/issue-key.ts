import { hashSecret, type IssuedKey } from '@joblisting/contracts';
import type { Clock, NextId } from '@joblisting/service-kit';
import { type StoredKey, type StoredSecret, toKey } from '../domain/key.ts';
import { type KeyKind, newSecret } from '../domain/secret.ts';
import type { KeyStore } from '../store/key-store.ts';

export interface NewKey extends Omit<StoredKey, 'id' | 'secrets' | 'expiresAt' | 'revokedAt'> {
  /** RFC 3339; absent or null: the key does not expire. */
  readonly expiresAt?: string | null;
}

export type IssueKey = (key: NewKey) => Promise<IssuedKey>;

/** A secret that is new, and the form in which it is kept. */
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

/** Stores a key of either kind with its first secret, which is shown this once. */
export function issueKeyWith(keys: KeyStore, nextId: NextId, clock: Clock): IssueKey {
  return async ({ expiresAt: until, ...rest }) => {
    const expiresAt = until ? Date.parse(until) : null;
    const { secret, stored } = makeSecret(rest.kind, clock.now(), expiresAt);
    const key = { id: await nextId(), ...rest, secrets: [stored], expiresAt, revokedAt: null };
    await keys.insert(key);
    return { key: toKey(key), secret };
  };
}

export const issued = (data: IssuedKey) => ({ data, outcome: 'created' as const, id: data.key.id });
