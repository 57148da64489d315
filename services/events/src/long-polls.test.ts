import { describe, expect, it } from '@jest/globals';
import { longPolls } from './long-polls.ts';

const LONG_MS = 60_000;

function setUp(most = 2) {
  const stopping = new AbortController();
  return { stop: () => stopping.abort(), polls: longPolls(most, stopping.signal) };
}

describe('a request that polls', () => {
  it('is woken by an event of its company', async () => {
    const { polls } = setUp();
    const woken = polls.begin(1)?.next(LONG_MS);
    polls.wake([2, 1]);
    await woken;
  });

  it('does not miss an event from between its begin and its wait', async () => {
    const { polls } = setUp();
    const poll = polls.begin(1);
    polls.wake([1]);
    await poll?.next(LONG_MS);
  });

  it('is woken by the end of its time, and when the service stops', async () => {
    const { polls, stop } = setUp();
    const poll = polls.begin(1);
    await poll?.next(10);
    const woken = poll?.next(LONG_MS);
    stop();
    await woken;
    expect(polls.begin(1)).toBeUndefined();
  });

  it('may not begin where too many wait, until one ends', () => {
    const { polls } = setUp(1);
    const first = polls.begin(1);
    expect(polls.begin(2)).toBeUndefined();
    first?.end();
    expect([polls.begin(2) === undefined, polls.count()]).toEqual([false, 1]);
  });
});
