import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { sharedRuns } from './shared-runs.ts';

interface Begun {
  readonly key: string;
  readonly items: readonly number[];
  readonly end: () => void;
  readonly fail: (error: Error) => void;
}

/** Runs that end when they are told to. */
function setUp() {
  const begun: Begun[] = [];
  const ask = sharedRuns<string, number>((key, items) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    begun.push({ key, items, end: resolve, fail: reject });
    return promise;
  });
  return { begun, ask, shown: () => begun.map(({ key, items }) => [key, items]) };
}

/** What follows the end of a run is done by then. */
const turn = () => new Promise(setImmediate);

describe('who asks', () => {
  it('begins a run where none is under way', async () => {
    const { ask, begun, shown } = setUp();
    const first = ask('k', 1);
    begun[0]?.end();
    await first;
    await turn();
    void ask('k', 2);
    expect(shown()).toEqual([
      ['k', [1]],
      ['k', [2]],
    ]);
  });

  it('shares the next run, which begins after the one under way, with all who ask meanwhile', async () => {
    const { ask, begun, shown } = setUp();
    const first = ask('k', 1);
    const ended: string[] = [];
    const others = [2, 3].map((item) => ask('k', item).then(() => ended.push('next')));
    await turn();
    expect(shown()).toEqual([['k', [1]]]);
    begun[0]?.end();
    await first;
    await turn();
    expect(shown()).toEqual([
      ['k', [1]],
      ['k', [2, 3]],
    ]);
    expect(ended).toEqual([]);
    begun[1]?.end();
    await Promise.all(others);
  });

  it('does not wait for another key', () => {
    const { ask, shown } = setUp();
    void ask('k', 1);
    void ask('other', 2);
    expect(shown()).toEqual([
      ['k', [1]],
      ['other', [2]],
    ]);
  });

  it('is told of a failure of its own run, and of no other one', async () => {
    const { ask, begun } = setUp();
    const first = ask('k', 1);
    const second = ask('k', 2);
    begun[0]?.fail(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await turn();
    begun[1]?.end();
    await expect(second).resolves.toBeUndefined();
  });

  it('is told of in its trace, not in that of the run under way', async () => {
    const trace = new AsyncLocalStorage<string>();
    const traces: unknown[] = [];
    const ask = sharedRuns<string, string>(async () => void traces.push(trace.getStore()));
    await Promise.all(['a', 'b', 'c'].map((name) => trace.run(name, () => ask('k', name))));
    expect(traces).toEqual(['a', 'b']);
  });
});
