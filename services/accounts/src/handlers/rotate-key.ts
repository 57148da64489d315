import type { Bus } from '@joblisting/bus';
import { keyRevoked, type rotateKey, ServiceError } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { rotated, toKey } from '../domain/key.ts';
import type { KeyStore } from '../store/key-store.ts';
import { issued, makeSecret } from './issue-key.ts';

const DEFAULT_GRACE_SECONDS = 24 * 3600;

/** Of rotations at the same time one goes through; the others find two live secrets. */
export function rotateKeyHandler(keys: KeyStore, bus: Bus, clock: Clock): Handler<typeof rotateKey> {
  return async ({ params, body }) => {
    const graceSeconds = body.graceSeconds ?? DEFAULT_GRACE_SECONDS;
    const before = await keys.findForRotation(params.id);
    if (!before) throw new ServiceError('key_not_found', `There is no key ${params.id}.`);
    const { secret, stored } = makeSecret(before.key.kind, clock.now(), before.key.expiresAt);
    const key = await keys.replaceSecrets(before, rotated(before.key, stored, graceSeconds * 1000));
    if (!key) throw new ServiceError('rotation_in_progress', 'The key was changed at the same time.');
    // Without grace the old secret is as good as revoked: gateways that know it are to forget it.
    if (graceSeconds === 0) bus.notify(keyRevoked, { keyId: key.id });
    return issued({ key: toKey(key), secret });
  };
}
