import type { listKeys } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import { toKey } from '../domain/key.ts';
import type { KeyStore } from '../store/key-store.ts';

export function listKeysHandler(keys: KeyStore): Handler<typeof listKeys> {
  return async () => ({ data: (await keys.list()).map(toKey) });
}
