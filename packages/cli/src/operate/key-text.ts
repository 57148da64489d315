import type { IssuedKey, Key } from '@joblisting/contracts';
import { table } from './table.ts';

/** A key with its secret: nobody can look it up again. */
export function issuedText({ key, secret }: IssuedKey): string {
  return `${keysText([key])}\n\n${secret}\nThis is shown once; only its hash is kept.`;
}

/** One line for each secret of a key, and one for a key that has none. */
export function keysText(keys: readonly Key[]): string {
  return table(
    ['ID', 'KIND', 'NAME', 'MAY', 'SECRET', 'LAST USED', 'STATE'],
    keys.flatMap((key) => {
      const may = key.kind === 'consumer' ? key.scopes.join(',') : `companies ${key.companyIds.join(',')}`;
      const front = [String(key.id), key.kind, key.name, may];
      if (key.secrets.length === 0) return [[...front, '', '', stateOf(key, null)]];
      return key.secrets.map(({ lastFour, lastUsedAt, expiresAt }) => [
        ...front,
        `…${lastFour}`,
        lastUsedAt ?? 'never',
        stateOf(key, expiresAt),
      ]);
    }),
  );
}

function stateOf({ revokedAt }: Key, expiresAt: string | null): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  return expiresAt === null ? 'live' : `until ${expiresAt}`;
}
