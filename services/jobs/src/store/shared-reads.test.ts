import { describe, expect, it } from '@jest/globals';
import { sharedReads } from './shared-reads.ts';

/** Reads that end when they are told to. */
function setUp() {
  let now = 0;
  const begun: { readonly keys: readonly number[]; readonly end: () => void; readonly fail: () => void }[] =
    [];
  const stored = new Map<number, string>();
  const read = sharedReads<number, string>({
    monotonic: () => now,
    readMany: (keys) =>
      new Promise((resolve, reject) => {
        const found = new Map([...stored].filter(([key]) => keys.includes(key)));
        begun.push({
          keys,
          end: () => resolve(found),
          fail: () => reject(new Error('the database is away')),
        });
      }),
  });
  return { read, begun, stored, pass: (ms: number) => void (now += ms) };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('reads that come one by one', () => {
  it('begin at once, each for itself', async () => {
    const { read, begun, stored } = setUp();
    stored.set(1, 'one');
    const first = read(1);
    expect(begun.map(({ keys }) => keys)).toEqual([[1]]);
    begun[0]?.end();
    expect(await first).toBe('one');
    const second = read(2);
    begun[1]?.end();
    expect(await second).toBeUndefined();
  });
});

describe('reads that come while one is under way', () => {
  it('share the next one, each key once', async () => {
    const { read, begun, stored } = setUp();
    for (const key of numbers(3)) stored.set(key, `job ${key}`);
    const all = [1, 2, 3, 2, 4].map((key) => read(key));
    expect(begun).toHaveLength(1);
    begun[0]?.end();
    await all[0];
    expect(begun[1]?.keys).toEqual([2, 3, 4]);
    begun[1]?.end();
    expect(await Promise.all(all)).toEqual(['job 1', 'job 2', 'job 3', 'job 2', undefined]);
  });

  it('see what was written before they came, though not before the other one began', async () => {
    const { read, begun, stored } = setUp();
    stored.set(1, 'old');
    const before = read(1);
    stored.set(1, 'new');
    const after = read(1);
    begun[0]?.end();
    expect(await before).toBe('old');
    begun[1]?.end();
    expect(await after).toBe('new');
  });

  it('do not fail with it', async () => {
    const { read, begun, stored } = setUp();
    stored.set(2, 'two');
    const [first, second] = [read(1), read(2)];
    begun[0]?.fail();
    await expect(first).rejects.toThrow('the database is away');
    begun[1]?.end();
    expect(await second).toBe('two');
  });

  it('fail together where the read that they share fails', async () => {
    const { read, begun } = setUp();
    const [first, ...shared] = [1, 2, 3].map((key) => read(key));
    begun[0]?.end();
    await first;
    begun[1]?.fail();
    for (const each of shared) await expect(each).rejects.toThrow('the database is away');
  });

  it('are split where they are too many', async () => {
    const { read, begun } = setUp();
    const all = [0, ...numbers(250)].map((key) => read(key));
    for (const [index, size] of [1, 100, 100, 50].entries()) {
      expect(begun[index]?.keys).toHaveLength(size);
      begun[index]?.end();
      await new Promise(setImmediate);
    }
    expect(await Promise.all(all)).toHaveLength(251);
  });

  it('begin beside one that is stuck', async () => {
    const { read, begun, pass } = setUp();
    const stuck = read(1);
    const waits = read(2);
    pass(101);
    const last = read(3);
    expect(begun[1]?.keys).toEqual([2, 3]);
    begun[1]?.end();
    await Promise.all([waits, last]);
    begun[0]?.end();
    expect(await stuck).toBeUndefined();
  });
});
