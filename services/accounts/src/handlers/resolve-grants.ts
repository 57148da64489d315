import type { resolveGrants } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { grantsOf } from '../domain/grants.ts';
import type { LastUsed } from '../last-used.ts';
import type { KeyStore } from '../store/key-store.ts';

/** One look-up whatever is sent, and the same refusal whatever is wrong (API decisions, "Keys"). */
export function resolveGrantsHandler(
  keys: KeyStore,
  used: LastUsed,
  clock: Clock,
): Handler<typeof resolveGrants> {
  return async ({ body: { consumer, user } }) => {
    const hashes = user === null ? [consumer] : [consumer, user];
    const found = await keys.findByHashes(hashes);
    const now = clock.now();
    const data = grantsOf(found, consumer, user, now);
    for (const hash of hashes) used.note(hash, now);
    return { data };
  };
}
