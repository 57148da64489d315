import type { Bus } from '@joblisting/bus';
import { keyRevoked, type revokeKey, ServiceError } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { toKey } from '../domain/key.ts';
import type { KeyStore } from '../store/key-store.ts';

/** Ends the key. Doing it again tells the gateways again, and changes nothing. */
export function revokeKeyHandler(keys: KeyStore, bus: Bus, clock: Clock): Handler<typeof revokeKey> {
  return async ({ params }) => {
    const key = await keys.revoke(params.id, clock.now());
    if (!key) throw new ServiceError('key_not_found', `There is no key ${params.id}.`);
    bus.notify(keyRevoked, { keyId: key.id });
    return { data: toKey(key) };
  };
}
