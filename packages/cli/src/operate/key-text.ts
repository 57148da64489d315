import type { IssuedKey, Key } from '@joblisting/contracts';
import { table } from './operate.ts';

/** A new key with its secret, which cannot be shown again. `now` is in epoch milliseconds. */
export function issuedText({ key, secret }: IssuedKey, now: number): string {
  return `${keysText([key], now)}\n\n${secret}\nStore this secret now. It cannot be shown again.`;
}

/** A table with one line per secret, and one for a key without secrets. */
export function keysText(keys: readonly Key[], now: number): string {
  return table(
    ['ID', 'KIND', 'NAME', 'PERMISSIONS', 'PER MINUTE', 'SECRET', 'LAST USED', 'STATE'],
    keys.flatMap((key) => {
      const permissions =
        key.kind === 'consumer' ? key.scopes.join(',') : `companies ${key.companyIds.join(',')}`;
      const columns = [String(key.id), key.kind, key.name, permissions, limitsOf(key)];
      if (key.secrets.length === 0) return [[...columns, '', '', stateOf(key, null, now)]];
      return key.secrets.map(({ lastFour, lastUsedAt, expiresAt }) => [
        ...columns,
        `…${lastFour}`,
        lastUsedAt ?? 'never',
        stateOf(key, expiresAt, now),
      ]);
    }),
  );
}

/** The key's own limits per minute. */
function limitsOf({ readsPerMinute, writesPerMinute }: Key): string {
  const reads = readsPerMinute === null ? [] : [`${readsPerMinute} reads`];
  const writes = writesPerMinute === null ? [] : [`${writesPerMinute} writes`];
  return [...reads, ...writes].join(', ');
}

function stateOf({ revokedAt }: Key, expiresAt: string | null, now: number): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (expiresAt === null) return 'valid';
  return `${Date.parse(expiresAt) > now ? 'valid until' : 'expired'} ${expiresAt}`;
}
