import { AsyncLocalStorage } from 'node:async_hooks';
import { nextTick } from 'node:process';
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
        if (value) stream.push([value]);
        found.delete(key);
      };
      const end = (): void => {
        stream.push([...found.values()]);
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
  it('are each for itself', async () => {
    const { read, begun, nth, stored } = setUp();
    stored.set(1, 'one');
    const first = read(1);
    (await nth(0)).end();
    expect(begun.map(({ keys }) => keys)).toEqual([[1]]);
    expect(await first).toBe('one');
    const second = read(2);
    (await nth(1)).end();
    expect(await second).toBeUndefined();
  });
});

describe('reads that come in one turn', () => {
  it('are one', async () => {
    const { read, nth } = setUp();
    const both = [1, 2].map((key) => read(key));
    const { keys, end } = await nth(0);
    expect(keys).toEqual([1, 2]);
    end();
    expect(await Promise.all(both)).toEqual([undefined, undefined]);
  });
});

describe('reads that come while one is under way', () => {
  it('share the next one, each key once', async () => {
    const { read, begun, nth, stored } = setUp();
    for (const key of numbers(3)) stored.set(key, `job ${key}`);
    const first = read(1);
    await nth(0);
    const others = [2, 3, 2, 4].map((key) => read(key));
    begun[0]?.end();
    await first;
    expect((await nth(1)).keys).toEqual([2, 3, 4]);
    (await nth(1)).end();
    expect(await Promise.all(others)).toEqual(['job 2', 'job 3', 'job 2', undefined]);
  });

  it('see what was written before they came, though not before the other one began', async () => {
    const { read, nth, stored } = setUp();
    stored.set(1, 'old');
    const before = read(1);
    const { end } = await nth(0);
    stored.set(1, 'new');
    const after = read(1);
    end();
    expect(await before).toBe('old');
    (await nth(1)).end();
    expect(await after).toBe('new');
  });

  it('do not fail with it', async () => {
    const { read, nth, stored } = setUp();
    stored.set(2, 'two');
    const first = read(1);
    const { fail } = await nth(0);
    const second = read(2);
    fail();
    await expect(first).rejects.toThrow('the database is away');
    (await nth(1)).end();
    expect(await second).toBe('two');
  });

  it('fail together where the read that they share fails', async () => {
    const { read, nth } = setUp();
    const shared = [1, 2].map((key) => read(key));
    (await nth(0)).fail();
    for (const each of shared) await expect(each).rejects.toThrow('the database is away');
  });

  it('wait no longer than until all that it looks for is there', async () => {
    const { read, begun, nth, stored } = setUp();
    stored.set(1, 'one');
    const first = read(1);
    const { give } = await nth(0);
    const second = read(2);
    give(1);
    expect(await first).toBe('one');
    // Soon, not when the first one is taken for stuck.
    await new Promise(setImmediate);
    expect(begun).toHaveLength(2);
    (await nth(1)).end();
    expect(await second).toBeUndefined();
  });

  it('are split where they are too many', async () => {
    const { read, nth } = setUp();
    const all = numbers(70).map((key) => read(key));
    for (const [index, size] of [32, 32, 6].entries()) {
      const { keys, end } = await nth(index);
      expect(keys).toHaveLength(size);
      end();
    }
    expect(await Promise.all(all)).toHaveLength(70);
  });

  it('get their value before the others are there', async () => {
    const { read, nth, stored } = setUp();
    for (const key of [1, 2]) stored.set(key, `job ${key}`);
    const [first, second] = [1, 2].map((key) => read(key));
    (await nth(0)).give(1);
    expect(await first).toBe('job 1');
    (await nth(0)).fail();
    await expect(second).rejects.toThrow('the database is away');
  });

  it('are told of in the trace of the first of them, not of the one that is under way', async () => {
    const trace = new AsyncLocalStorage<string>();
    const traces: unknown[] = [];
    const read = sharedReads<number, number>({
      keyOf: (value) => value,
      readMany: async function* (keys) {
        traces.push(trace.getStore());
        yield keys;
      },
    });
    const first = trace.run('a', () => read(0));
    await new Promise(nextTick);
    await Promise.all([first, ...['b', 'c'].map((name, key) => trace.run(name, () => read(key)))]);
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
    await nth(0);
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

describe('a read of a single one', () => {
  const setUpSingle = () => {
    const single: number[] = [];
    const many: (readonly number[])[] = [];
    const read = sharedReads<number, Stored>({
      keyOf: ({ id }) => id,
      readOne: async (id) => {
        single.push(id);
        if (id === 13) throw new Error('the database is away');
        return id === 404 ? undefined : { id, text: `${id}` };
      },
      readMany: async function* (ids) {
        many.push(ids);
        yield ids.map((id) => ({ id, text: `${id}` }));
      },
    });
    return { read, single, many };
  };

  it('goes its own way, and several at once do not', async () => {
    const { read, single, many } = setUpSingle();
    expect(await read(1)).toEqual({ id: 1, text: '1' });
    expect(await read(404)).toBeUndefined();
    expect(await Promise.all([read(2), read(3)])).toMatchObject([{ id: 2 }, { id: 3 }]);
    expect({ single, many }).toEqual({ single: [1, 404], many: [[2, 3]] });
  });

  it('fails alone, and the next one works', async () => {
    const { read } = setUpSingle();
    await expect(read(13)).rejects.toThrow('the database is away');
    expect(await read(1)).toMatchObject({ id: 1 });
  });
});
