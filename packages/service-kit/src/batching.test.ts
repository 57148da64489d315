import { describe, expect, it } from '@jest/globals';
import { batcher, mutex, singleFlight, withTimeout } from './batching.ts';

/** Runs that end when the test says so. */
class Controlled<T> {
  readonly runs: { readonly end: (value: T) => void; readonly fail: (error: Error) => void }[] = [];
  readonly run = (): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.runs.push({ end: resolve, fail: reject });
    return promise;
  };
}

const turn = () => new Promise(setImmediate);
const soon = () => Date.now() + 60_000;

describe('batcher', () => {
  function setUp() {
    const batches: (readonly number[])[] = [];
    const { runs, run } = new Controlled<(string | Error)[]>();
    const load = batcher<number, string>((keys) => {
      batches.push(keys);
      return run();
    });
    return { batches, runs, load };
  }

  it('starts a batch at once when none is under way', async () => {
    const { batches, runs, load } = setUp();
    const one = load(1);
    await turn();
    expect(batches).toEqual([[1]]);
    runs[0]?.end(['a']);
    await expect(one).resolves.toBe('a');
  });

  it('gives calls that come while a batch is under way the next batch', async () => {
    const { batches, runs, load } = setUp();
    const first = load(1);
    await turn();
    const others = [load(2), load(3), load(2)];
    await turn();
    expect(batches).toEqual([[1]]);
    runs[0]?.end(['a']);
    await first;
    await turn();
    expect(batches).toEqual([[1], [2, 3, 2]]);
    runs[1]?.end(['b', 'c', 'b']);
    await expect(Promise.all(others)).resolves.toEqual(['b', 'c', 'b']);
  });

  it('rejects only the key whose value is an Error', async () => {
    const { runs, load } = setUp();
    const bad = expect(load(1)).rejects.toThrow('taken');
    const good = load(2);
    await turn();
    runs[0]?.end([new Error('taken'), 'b']);
    await bad;
    await expect(good).resolves.toBe('b');
  });

  it('rejects all calls of a batch that fails, and continues', async () => {
    const { runs, load } = setUp();
    const failed = expect(load(1)).rejects.toThrow('broken');
    await turn();
    runs[0]?.fail(new Error('broken'));
    await failed;
    const next = load(2);
    await turn();
    runs[1]?.end(['b']);
    await expect(next).resolves.toBe('b');
  });

  it('does not wait for a batch that is stuck', async () => {
    const { batches, load } = setUp();
    void load(1);
    await turn();
    void load(2);
    while (batches.length < 2) await turn();
    expect(batches).toEqual([[1], [2]]);
  });

  it('splits calls that exceed the size of a batch', async () => {
    const { batches, load } = setUp();
    for (let key = 0; key < 33; key++) void load(key);
    await turn();
    expect(batches.map((keys) => keys.length)).toEqual([32, 1]);
  });
});

describe('singleFlight', () => {
  it('shares the next run among calls that come while one is under way', async () => {
    const { runs, run } = new Controlled<string>();
    const fly = singleFlight<string>();
    const first = fly('k', run);
    const others = [fly('k', run), fly('k', run)];
    expect(runs).toHaveLength(1);
    runs[0]?.end('old');
    await expect(first).resolves.toBe('old');
    await turn();
    expect(runs).toHaveLength(2);
    runs[1]?.end('new');
    await expect(Promise.all(others)).resolves.toEqual(['new', 'new']);
  });

  it('does not wait for another key', () => {
    const { runs, run } = new Controlled<string>();
    const fly = singleFlight<string>();
    void fly('k', run);
    void fly('other', run);
    expect(runs).toHaveLength(2);
  });

  it('fails only the calls of the run that fails', async () => {
    const { runs, run } = new Controlled<string>();
    const fly = singleFlight<string>();
    const first = expect(fly('k', run)).rejects.toThrow('broken');
    const second = fly('k', run);
    runs[0]?.fail(new Error('broken'));
    await first;
    await turn();
    runs[1]?.end('new');
    await expect(second).resolves.toBe('new');
    void fly('k', run);
    expect(runs).toHaveLength(3);
  });
});

describe('mutex', () => {
  it('runs work for one key one after another, and for other keys concurrently', async () => {
    const { runs, run } = new Controlled<string>();
    const lock = mutex();
    const first = lock.run('k', soon(), run);
    const second = lock.run('k', soon(), run);
    void lock.run('other', soon(), run);
    await turn();
    expect(runs).toHaveLength(2);
    runs[0]?.end('a');
    await expect(first).resolves.toBe('a');
    await turn();
    expect(runs).toHaveLength(3);
    runs[2]?.end('b');
    await expect(second).resolves.toBe('b');
  });

  it('rejects work that cannot start in time, and never starts it', async () => {
    const { runs, run } = new Controlled<string>();
    const lock = mutex();
    const first = lock.run('k', soon(), run);
    await turn();
    await expect(lock.run('k', Date.now() + 20, run)).rejects.toMatchObject({
      code: 'overloaded',
      reason: 'contention',
    });
    runs[0]?.end('a');
    await first;
    await turn();
    expect(runs).toHaveLength(1);
  });

  it('continues after work that fails', async () => {
    const lock = mutex();
    await expect(lock.run('k', soon(), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(lock.run('k', soon(), () => Promise.resolve('a'))).resolves.toBe('a');
  });
});

describe('withTimeout', () => {
  it('passes on what comes in time', async () => {
    await expect(withTimeout(Promise.resolve(1), 60_000)).resolves.toBe(1);
    await expect(withTimeout(Promise.reject(new Error('broken')), 60_000)).rejects.toThrow('broken');
  });

  it('rejects with deadline_exceeded past the limit', async () => {
    await expect(withTimeout(new Promise(() => {}), 5)).rejects.toMatchObject({
      code: 'deadline_exceeded',
      reason: 'deadline',
    });
  });
});
