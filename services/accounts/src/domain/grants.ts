import { type KeyKind, type ReplyOf, type resolveGrants, ServiceError } from '@joblisting/contracts';
import { isLive, type StoredKey, timestamp } from './key.ts';

export type Grants = ReplyOf<typeof resolveGrants>;

/**
 * What a pair of secrets grants, given the keys that have either of them. `userHash` is null if no user key is
 * needed. Throws the same `unauthenticated` whatever is wrong, after the same work.
 */
export function grantsOf(
  keys: readonly StoredKey[],
  consumerHash: string,
  userHash: string | null,
  now: number,
): Grants {
  const consumer = find(keys, 'consumer', consumerHash, now);
  const user = find(keys, 'user', userHash ?? '', now);
  if (!consumer || (userHash !== null && !user)) throw new ServiceError('unauthenticated');
  const ends = [consumer, user].flatMap((found) => found?.expiresAt ?? []);
  return {
    principal: {
      consumerId: consumer.key.id,
      scopes: [...consumer.key.scopes],
      userId: user?.key.id ?? null,
      companyIds: [...(user?.key.companyIds ?? [])],
    },
    keyIds: [consumer.key.id, ...(user ? [user.key.id] : [])],
    expiresAt: ends.length > 0 ? timestamp(Math.min(...ends)) : null,
    readsPerMinute: consumer.key.readsPerMinute,
    writesPerMinute: consumer.key.writesPerMinute,
  };
}

export interface KeyStates {
  readonly consumerKey: string;
  readonly consumerKeyId: number | undefined;
  readonly userKey: string;
  readonly userKeyId: number | undefined;
}

/** The state of each secret and the id of its key, for the log: the caller must not learn which one is wrong. */
export function keyStatesOf(
  keys: readonly StoredKey[],
  consumerHash: string,
  userHash: string | null,
  now: number,
): KeyStates {
  const consumer = keyWith(keys, consumerHash);
  const user = keyWith(keys, userHash ?? '');
  return {
    consumerKey: stateOf(consumer, 'consumer', consumerHash, now),
    consumerKeyId: consumer?.id,
    userKey: userHash === null ? 'not needed' : stateOf(user, 'user', userHash, now),
    userKeyId: user?.id,
  };
}

const keyWith = (keys: readonly StoredKey[], hash: string): StoredKey | undefined =>
  keys.find(({ secrets }) => secrets.some((one) => one.hash === hash));

function stateOf(key: StoredKey | undefined, kind: KeyKind, hash: string, now: number): string {
  if (!key) return 'unknown';
  if (key.kind !== kind) return 'of the other kind';
  if (key.revokedAt !== null) return 'revoked';
  return key.secrets.some((one) => one.hash === hash && isLive(one, now)) ? 'valid' : 'expired';
}

function find(keys: readonly StoredKey[], kind: KeyKind, hash: string, now: number) {
  for (const key of keys) {
    const secret = key.secrets.find((one) => one.hash === hash);
    if (secret && key.kind === kind && key.revokedAt === null && isLive(secret, now)) {
      return { key, expiresAt: secret.expiresAt };
    }
  }
  return undefined;
}
