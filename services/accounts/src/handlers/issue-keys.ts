import {
  type issueConsumerKey,
  type IssuedKey,
  type issueUserKey,
  refuseInvalid,
} from '@joblisting/contracts';
import { type Clock, type Handler, type NextId, pointerTo } from '@joblisting/service-kit';
import { makeSecret, type StoredKey, toKey } from '../domain/key.ts';
import type { CompanyStore } from '../store/company-store.ts';
import type { KeyStore } from '../store/key-store.ts';

interface NewKey extends Omit<StoredKey, 'id' | 'secrets' | 'expiresAt' | 'revokedAt'> {
  /** RFC 3339; absent or null: the key does not expire. */
  readonly expiresAt: string | null | undefined;
}

export type IssueKey = (key: NewKey) => Promise<IssuedKey>;

/** Stores a key of either kind with its first secret, and shows that secret this one time. */
export function keyIssuer(keys: KeyStore, nextId: NextId, clock: Clock): IssueKey {
  return async ({ expiresAt: until, ...rest }) => {
    const expiresAt = until ? Date.parse(until) : null;
    const { secret, stored } = makeSecret(rest.kind, clock.now(), expiresAt);
    const key = { id: await nextId(), ...rest, secrets: [stored], expiresAt, revokedAt: null };
    await keys.insert(key);
    return { key: toKey(key), secret };
  };
}

export const issued = (data: IssuedKey) => ({ data, outcome: 'created' as const, id: data.key.id });

export const issueConsumerKeyHandler =
  (issue: IssueKey): Handler<typeof issueConsumerKey> =>
  async ({ body, note }) => {
    const key = await issue({
      kind: 'consumer',
      name: body.name,
      scopes: [...new Set(body.scopes)],
      companyIds: [],
      expiresAt: body.expiresAt,
      readsPerMinute: body.readsPerMinute ?? null,
      writesPerMinute: body.writesPerMinute ?? null,
    });
    note({ keyId: key.key.id });
    return issued(key);
  };

export const issueUserKeyHandler =
  (companies: CompanyStore, issue: IssueKey): Handler<typeof issueUserKey> =>
  async ({ body, note }) => {
    const existing = await companies.existing(body.companyIds);
    refuseInvalid(
      body.companyIds.flatMap((id, index) =>
        existing.has(id)
          ? []
          : {
              pointer: pointerTo('companyIds', index),
              code: 'unknown_id',
              detail: `There is no company ${id}.`,
            },
      ),
    );
    const companyIds = [...existing].toSorted((a, b) => a - b);
    const key = await issue({
      kind: 'user',
      name: body.name,
      scopes: [],
      companyIds,
      expiresAt: body.expiresAt,
      readsPerMinute: null,
      writesPerMinute: null,
    });
    note({ keyId: key.key.id, companyIds: companyIds.join(',') });
    return issued(key);
  };
