import type { Bus } from '@joblisting/bus';
import {
  keyRevoked,
  type listKeys,
  type resolveGrants,
  type revokeKey,
  type rotateKey,
  ServiceError,
} from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { grantsOf, keyStatesOf } from '../domain/grants.ts';
import { makeSecret, rotated, toKey } from '../domain/key.ts';
import type { LastUsed } from '../last-used.ts';
import type { KeyStore } from '../store/key-store.ts';
import { issued } from './issue-keys.ts';

const DEFAULT_GRACE_SECONDS = 24 * 3600;

/** One look-up whatever is sent, and the same refusal whatever is wrong (API decisions, "Keys"). */
export const resolveGrantsHandler =
  (keys: KeyStore, used: LastUsed, clock: Clock): Handler<typeof resolveGrants> =>
  async ({ body: { consumer, user }, note }) => {
    const hashes = user === null ? [consumer] : [consumer, user];
    const found = await keys.findByHashes(hashes);
    const now = clock.now();
    note({ ...keyStatesOf(found, consumer, user, now) });
    const data = grantsOf(found, consumer, user, now);
    for (const hash of hashes) used.note(hash, now);
    return { data };
  };

/** One of several concurrent rotations succeeds; the others find two live secrets. */
export const rotateKeyHandler =
  (keys: KeyStore, bus: Bus, clock: Clock): Handler<typeof rotateKey> =>
  async ({ params, body, note }) => {
    note({ keyId: params.id });
    const graceSeconds = body.graceSeconds ?? DEFAULT_GRACE_SECONDS;
    const before = await keys.findForRotation(params.id);
    if (!before) throw new ServiceError('key_not_found', `There is no key ${params.id}.`);
    const { secret, stored } = makeSecret(before.key.kind, clock.now(), before.key.expiresAt);
    const key = await keys.replaceSecrets(before, rotated(before.key, stored, graceSeconds * 1000));
    if (!key) throw new ServiceError('rotation_in_progress', 'The key was changed at the same time.');
    // Without grace the old secret is invalid at once, so gateways must drop it like a revoked one.
    if (graceSeconds === 0) bus.notify(keyRevoked, { keyId: key.id });
    return issued({ key: toKey(key), secret });
  };

/** Revokes the key. A repetition changes nothing, but notifies the gateways again. */
export const revokeKeyHandler =
  (keys: KeyStore, bus: Bus, clock: Clock): Handler<typeof revokeKey> =>
  async ({ params, note }) => {
    note({ keyId: params.id });
    const key = await keys.revoke(params.id, clock.now());
    if (!key) throw new ServiceError('key_not_found', `There is no key ${params.id}.`);
    bus.notify(keyRevoked, { keyId: key.id });
    return { data: toKey(key) };
  };

export const listKeysHandler =
  (keys: KeyStore): Handler<typeof listKeys> =>
  async () => ({ data: (await keys.list()).map(toKey) });
