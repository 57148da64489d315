import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyStore } from '../src/store/key-store.ts';
import { type Running, runAccounts } from './running-accounts.ts';

/** The most that the service remembers between two writes. */
const MOST = 10_000;

let running: Running;
beforeAll(async () => {
  running = await runAccounts();
});
afterAll(() => running.stop());

it('noteUse writes 10,000 uses at once', async () => {
  const hashes = Array.from({ length: MOST }, (_, index) => `hash ${index}`);
  const rows = running.mongo.collection<{ _id: number; secrets: object[] }>('keys');
  const stored = hashes.map((hash, index) => ({ _id: 1 + index, secrets: [{ hash, lastUsedAt: null }] }));
  for (let from = 0; from < MOST; from += 1000) await rows.insertMany(stored.slice(from, from + 1000));
  await keyStore(running.mongo).noteUse(new Map(hashes.map((hash, index) => [hash, 1 + index])));
  expect(await rows.countDocuments({ $expr: { $eq: ['$_id', { $first: '$secrets.lastUsedAt' }] } })).toBe(
    MOST,
  );
});
