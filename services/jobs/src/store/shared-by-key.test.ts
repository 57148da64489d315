import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { sharedByKey } from './shared-by-key.ts';

interface Begun {
  readonly key: string;
  readonly end: () => void;
  readonly fail: () => void;
}

/** Reads that end when they are told to. What is stored is seen as it was when the read began. */
function setUp() {
  const begun: Begun[] = [];
  const stored = new Map<string, string>();
  const read = sharedByKey<string, string | undefined>({
    keyOf: (key) => key,
    read: (key) => {
      const found = stored.get(key);
      return new Promise((resolve, reject) => {
        begun.push({
          key,
          end: () => resolve(found),
          fail: () => reject(new Error('the database is away')),
        });
      });
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
  return { read, begun, nth, stored };
}

describe('questions that come one by one', () => {
  it('are answered at once, each for itself', async () => {
    const { read, begun, nth, stored } = setUp();
    stored.set('a', 'one');
    const first = read('a');
    begun[0]?.end();
    expect(await first).toBe('one');
    stored.set('a', 'two');
    const second = read('a');
    (await nth(1)).end();
    expect(await second).toBe('two');
  });
});

describe('equal questions that come while one of them is being answered', () => {
  it('share the next answer, which sees what was written before they came', async () => {
    const { read, begun, nth, stored } = setUp();
    stored.set('a', 'old');
    const before = read('a');
    stored.set('a', 'new');
    const after = [read('a'), read('a'), read('a')];
    expect(begun).toHaveLength(1);
    begun[0]?.end();
    (await nth(1)).end();
    expect([await before, ...(await Promise.all(after))]).toEqual(['old', 'new', 'new', 'new']);
    expect(begun).toHaveLength(2);
  });

  it('do not share one that has begun', async () => {
    const { read, begun, nth, stored } = setUp();
    const first = read('a');
    const second = read('a');
    begun[0]?.end();
    await first;
    await nth(1);
    stored.set('a', 'newer');
    const third = read('a');
    (await nth(1)).end();
    expect(await second).toBeUndefined();
    (await nth(2)).end();
    expect(await third).toBe('newer');
  });

  it('do not fail with it, but with the one that they share', async () => {
    const { read, begun, nth, stored } = setUp();
    stored.set('a', 'one');
    const all = [read('a'), read('a'), read('a')].map((each) => each.catch((error: Error) => error.message));
    begun[0]?.fail();
    (await nth(1)).fail();
    expect(await Promise.all(all)).toEqual(Array(3).fill('the database is away'));
    const later = read('a');
    (await nth(2)).end();
    expect(await later).toBe('one');
  });

  it('are told of in the trace of the first of them, not of the one that is being answered', async () => {
    const trace = new AsyncLocalStorage<string>();
    const traces: unknown[] = [];
    const read = sharedByKey<string, void>({
      keyOf: (key) => key,
      read: async () => void traces.push(trace.getStore()),
    });
    await Promise.all(['a', 'b', 'c'].map((name) => trace.run(name, () => read('one'))));
    expect(traces).toEqual(['a', 'b']);
  });
});

describe('other questions', () => {
  it('do not wait', () => {
    const { read, begun } = setUp();
    void read('a');
    void read('b');
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
  });
});

describe('a question beside an equal one that is stuck', () => {
  it('is answered after a moment', async () => {
    const { read, begun, nth } = setUp();
    const stuck = read('a');
    const second = read('a');
    expect(begun).toHaveLength(1);
    (await nth(1)).end();
    await second;
    const third = read('a');
    (await nth(2)).end();
    await third;
    begun[0]?.end();
    expect(await stuck).toBeUndefined();
  });
});
