import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { sharedReads } from './shared-reads.ts';

interface Begun {
  readonly keys: readonly number[];
  /** Gives the value of one key, before the read ends. */
  readonly give: (key: number) => void;
  readonly end: () => void;
  readonly fail: () => void;
}

interface Stored {
  readonly id: number;
  readonly text: string;
}

/** Reads that end when they are told to. What is stored is seen as it was when the read began. */
function setUp() {
  const begun: Begun[] = [];
  const stored = new Map<number, string>();
  const read = sharedReads<number, Stored>({
    keyOf: ({ id }) => id,
    readMany: (keys) => {
      const found = new Map(
        keys.flatMap((id) => {
          const text = stored.get(id);
          return text === undefined ? [] : [[id, { id, text }] as const];
        }),
      );
      const stream = new Readable({ objectMode: true, read: () => undefined });
      const give = (key: number): void => {
        const value = found.get(key);
        if (value) stream.push(value);
        found.delete(key);
      };
      const end = (): void => {
        for (const key of found.keys()) give(key);
        stream.push(null);
      };
      begun.push({ keys, give, end, fail: () => stream.destroy(new Error('the database is away')) });
      return stream;
    },
  });
  /** The read that began as this one, from 0, once it has. */
  const nth = async (index: number): Promise<Begun> => {
    for (;;) {
      const one = begun[index];
      if (one) return one;
      await new Promise(setImmediate);
    }
  };
  return { read: async (key: number) => (await read(key))?.text, begun, nth, stored };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('reads that come one by one', () => {
  it('begin at once, each for itself', async () => {
    const { read, begun, nth, stored } = setUp();
    stored.set(1, 'one');
    const first = read(1);
    expect(begun.map(({ keys }) => keys)).toEqual([[1]]);
    begun[0]?.end();
    expect(await first).toBe('one');
    const second = read(2);
    (await nth(1)).end();
    expect(await second).toBeUndefined();
  });
});

describe('reads that come while one is under way', () => {
  it('share the next one, each key once', async () => {
    const { read, begun, nth, stored } = setUp();
    for (const key of numbers(3)) stored.set(key, `job ${key}`);
    const all = [1, 2, 3, 2, 4].map((key) => read(key));
    expect(begun).toHaveLength(1);
    begun[0]?.end();
    await all[0];
    expect((await nth(1)).keys).toEqual([2, 3, 4]);
    (await nth(1)).end();
    expect(await Promise.all(all)).toEqual(['job 1', 'job 2', 'job 3', 'job 2', undefined]);
  });

  it('see what was written before they came, though not before the other one began', async () => {
    const { read, begun, nth, stored } = setUp();
    stored.set(1, 'old');
    const before = read(1);
    stored.set(1, 'new');
    const after = read(1);
    begun[0]?.end();
    expect(await before).toBe('old');
    (await nth(1)).end();
    expect(await after).toBe('new');
  });

  it('do not fail with it', async () => {
    const { read, begun, nth, stored } = setUp();
    stored.set(2, 'two');
    const [first, second] = [read(1), read(2)];
    begun[0]?.fail();
    await expect(first).rejects.toThrow('the database is away');
    (await nth(1)).end();
    expect(await second).toBe('two');
  });

  it('fail together where the read that they share fails', async () => {
    const { read, begun, nth } = setUp();
    const [first, ...shared] = [1, 2, 3].map((key) => read(key));
    begun[0]?.end();
    await first;
    (await nth(1)).fail();
    for (const each of shared) await expect(each).rejects.toThrow('the database is away');
  });

  it('are split where they are too many', async () => {
    const { read, nth } = setUp();
    const all = [0, ...numbers(70)].map((key) => read(key));
    for (const [index, size] of [1, 32, 32, 6].entries()) {
      const { keys, end } = await nth(index);
      expect(keys).toHaveLength(size);
      end();
    }
    expect(await Promise.all(all)).toHaveLength(71);
  });

  it('get their value before the others are there', async () => {
    const { read, begun, nth, stored } = setUp();
    for (const key of [2, 3]) stored.set(key, `job ${key}`);
    const [first, second, third] = [1, 2, 3].map((key) => read(key));
    begun[0]?.end();
    await first;
    (await nth(1)).give(2);
    expect(await second).toBe('job 2');
    (await nth(1)).fail();
    await expect(third).rejects.toThrow('the database is away');
  });

  it('are told of in the trace of the first of them, not of the one that is under way', async () => {
    const trace = new AsyncLocalStorage<string>();
    const traces: unknown[] = [];
    const read = sharedReads<number, number>({
      keyOf: (value) => value,
      readMany: async function* (keys) {
        traces.push(trace.getStore());
        yield* keys;
      },
    });
    await Promise.all(['a', 'b', 'c'].map((name, key) => trace.run(name, () => read(key))));
    expect(traces).toEqual(['a', 'b']);
  });
});

describe('reads beside one that is stuck', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('begin after a moment, and then one after the other as ever', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const { read, begun, nth } = setUp();
    const stuck = read(1);
    const second = read(2);
    jest.advanceTimersByTime(99);
    expect(begun).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect((await nth(1)).keys).toEqual([2]);
    (await nth(1)).end();
    await second;
    const third = read(3);
    expect((await nth(2)).keys).toEqual([3]);
    (await nth(2)).end();
    await third;
    begun[0]?.end();
    expect(await stuck).toBeUndefined();
  });
});
