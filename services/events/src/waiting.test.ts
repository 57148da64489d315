import { describe, expect, it } from '@jest/globals';
import { waiting } from './waiting.ts';

const LONG_MS = 60_000;

function setUp(most = 2) {
  const stopping = new AbortController();
  return { stop: () => stopping.abort(), waits: waiting(most, stopping.signal) };
}

describe('a request that waits', () => {
  it('is woken by an event of its company', async () => {
    const { waits } = setUp();
    const woken = waits.begin(1)?.next(LONG_MS);
    waits.wake([2, 1]);
    await woken;
  });

  it('does not miss an event from between its begin and its wait', async () => {
    const { waits } = setUp();
    const waiter = waits.begin(1);
    waits.wake([1]);
    await waiter?.next(LONG_MS);
  });

  it('is woken by the end of its time, and when the service stops', async () => {
    const { waits, stop } = setUp();
    const waiter = waits.begin(1);
    await waiter?.next(10);
    const woken = waiter?.next(LONG_MS);
    stop();
    await woken;
    expect(waits.begin(1)).toBeUndefined();
  });

  it('may not begin where too many wait, until one ends', () => {
    const { waits } = setUp(1);
    const first = waits.begin(1);
    expect(waits.begin(2)).toBeUndefined();
    first?.end();
    expect([waits.begin(2) === undefined, waits.count()]).toEqual([false, 1]);
  });
});
