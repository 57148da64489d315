import type { IssuedKey, Key } from '@joblisting/contracts';
import { table } from './table.ts';

/** A key with its secret: nobody can look it up again. `now` is in epoch milliseconds. */
export function issuedText({ key, secret }: IssuedKey, now: number): string {
  return `${keysText([key], now)}\n\n${secret}\nThis is shown once; only its hash is kept.`;
}

/** One line for each secret of a key, and one for a key that has none. */
export function keysText(keys: readonly Key[], now: number): string {
  return table(
    ['ID', 'KIND', 'NAME', 'MAY', 'A MINUTE', 'SECRET', 'LAST USED', 'STATE'],
    keys.flatMap((key) => {
      const may = key.kind === 'consumer' ? key.scopes.join(',') : `companies ${key.companyIds.join(',')}`;
      const front = [String(key.id), key.kind, key.name, may, limitsOf(key)];
      if (key.secrets.length === 0) return [[...front, '', '', stateOf(key, null, now)]];
      return key.secrets.map(({ lastFour, lastUsedAt, expiresAt }) => [
        ...front,
        `…${lastFour}`,
        lastUsedAt ?? 'never',
        stateOf(key, expiresAt, now),
      ]);
    }),
  );
}

/** Reads and writes a minute; those that are as the gateway has them are not shown. */
function limitsOf({ readsPerMinute, writesPerMinute }: Key): string {
  const reads = readsPerMinute === null ? [] : [`${readsPerMinute} reads`];
  const writes = writesPerMinute === null ? [] : [`${writesPerMinute} writes`];
  return [...reads, ...writes].join(', ');
}

function stateOf({ revokedAt }: Key, expiresAt: string | null, now: number): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (expiresAt === null) return 'live';
  return `${Date.parse(expiresAt) > now ? 'until' : 'expired'} ${expiresAt}`;
}
