import { describe, expect, it } from '@jest/globals';
import { grantsOf } from './grants.ts';
import type { StoredKey } from './key.ts';

const NOW = Date.UTC(2026, 2, 1);
const keyOf = (id: number, kind: 'consumer' | 'user', hashes: [string, number | null][]): StoredKey => ({
  id,
  kind,
  name: 'x',
  scopes: kind === 'consumer' ? ['jobs:read'] : [],
  companyIds: kind === 'user' ? [5, 6] : [],
  readsPerMinute: null,
  writesPerMinute: null,
  secrets: hashes.map(([hash, expiresAt]) => ({
    hash,
    lastFour: '',
    createdAt: 0,
    expiresAt,
    lastUsedAt: null,
  })),
  expiresAt: null,
  revokedAt: null,
});
const consumer = keyOf(1, 'consumer', [
  ['c-old', NOW],
  ['c-ending', NOW + 1000],
  ['c', null],
]);
const user = keyOf(2, 'user', [['u', NOW + 2000]]);
const revoked = { ...keyOf(3, 'user', [['r', null]]), revokedAt: NOW };
const grants = (consumerHash: string, userHash: string | null) =>
  grantsOf([consumer, user, revoked], consumerHash, userHash, NOW);

describe('grantsOf', () => {
  it.each([
    ['both', 'c', 'u', [1, 2], 2, [5, 6], '2026-03-01T00:00:02.000Z'],
    ['the one that ends first', 'c-ending', 'u', [1, 2], 2, [5, 6], '2026-03-01T00:00:01.000Z'],
    ['a consumer alone', 'c', null, [1], null, [], null],
  ])('%s', (_what, consumerHash, userHash, keyIds, userId, companyIds, expiresAt) => {
    expect(grants(consumerHash, userHash)).toMatchObject({
      principal: { consumerId: 1, scopes: ['jobs:read'], userId, companyIds },
      keyIds,
      expiresAt,
    });
  });

  it.each([
    ['an expired secret of a good key', 'c-old', 'u'],
    ['an unknown consumer', 'x', 'u'],
    ['an unknown user', 'c', 'x'],
    ['an empty user hash', 'c', ''],
    ['a revoked user', 'c', 'r'],
    ['swapped keys', 'u', 'c'],
    ['a user alone', 'u', null],
  ])('refuses %s', (_what, consumerHash, userHash) => {
    expect(() => grants(consumerHash, userHash)).toThrow(
      expect.objectContaining({ code: 'unauthenticated', errors: [] }),
    );
  });
});
