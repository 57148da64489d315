import { describe, expect, it } from '@jest/globals';
import { rotated, type StoredKey, type StoredSecret } from './key.ts';

const NOW = 1_000_000;
const secret = (hash: string, expiresAt: number | null = null): StoredSecret => ({
  hash,
  lastFour: hash,
  createdAt: NOW,
  expiresAt,
  lastUsedAt: null,
});
const key = (more: Partial<StoredKey>): StoredKey => ({
  id: 1,
  kind: 'user',
  name: 'Ada',
  scopes: [],
  companyIds: [1],
  readsPerMinute: null,
  writesPerMinute: null,
  secrets: [secret('old')],
  expiresAt: null,
  revokedAt: null,
  ...more,
});
const ends = (secrets: readonly StoredSecret[]) => secrets.map(({ hash, expiresAt }) => [hash, expiresAt]);

describe('rotated', () => {
  it.each([
    [
      'ends after the grace',
      [secret('old')],
      [
        ['old', NOW + 60],
        ['new', null],
      ],
    ],
    [
      'ends earlier if it expires earlier',
      [secret('old', NOW + 5)],
      [
        ['old', NOW + 5],
        ['new', null],
      ],
    ],
    ['goes if it has expired', [secret('old', NOW)], [['new', null]]],
    [
      'goes if it was rotated out long ago',
      [secret('older', 1), secret('old')],
      [
        ['old', NOW + 60],
        ['new', null],
      ],
    ],
  ])('the old secret %s', (_what, secrets, expected) => {
    expect(ends(rotated(key({ secrets }), secret('new'), 60))).toEqual(expected);
  });

  it.each([
    ['two secrets are live', { secrets: [secret('a', NOW + 1), secret('b')] }, 'rotation_in_progress'],
    ['it is revoked', { revokedAt: 5 }, 'key_not_found'],
    ['it has expired', { expiresAt: NOW }, 'key_not_found'],
  ])('is refused if %s', (_what, more, code) => {
    expect(() => rotated(key(more), secret('new'), 60)).toThrow(expect.objectContaining({ code }));
  });

  it('says until when two secrets are live', () => {
    const secrets = [secret('a', NOW + 1000), secret('b', NOW + 9000)];
    expect(() => rotated(key({ secrets }), secret('new'), 60)).toThrow('until 1970-01-01T00:16:41.000Z');
  });
});
