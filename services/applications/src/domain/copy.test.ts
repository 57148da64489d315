import { describe, expect, it } from '@jest/globals';
import { afterAttempt, type Copy, newCopy, queueAgain } from './copy.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const busy = { kind: 'temporary', response: '451 Try again later' } as const;

/** Attempts again and again at the times the copy says, until its state is final. */
function attemptsOf(copy: Copy): number[] {
  const times: number[] = [];
  let last = copy;
  while (last.nextAttemptAt !== null) {
    times.push(last.nextAttemptAt);
    last = afterAttempt(last, busy, last.nextAttemptAt);
  }
  expect(last.state).toBe('failed');
  return times;
}

describe('afterAttempt', () => {
  it('keeps the reply of a server that took the mail', () => {
    const sent = afterAttempt(newCopy('a@example.com', 0, 5), { kind: 'sent', response: '250 OK' }, 7);
    expect(sent).toMatchObject({
      state: 'sent',
      attempts: 1,
      lastAttemptAt: 7,
      nextAttemptAt: null,
      response: '250 OK',
    });
  });

  it('does not repeat after a permanent failure', () => {
    const failed = afterAttempt(newCopy('a@example.com', 0, 5), { kind: 'permanent', response: '550 No' }, 7);
    expect(failed).toMatchObject({ state: 'failed', nextAttemptAt: null, response: '550 No' });
  });

  it('repeats after 1, 5, 30 minutes, 1, 2, then every 4 hours, for three days', () => {
    const times = attemptsOf(newCopy('a@example.com', 0, 0));
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses.slice(0, 7)).toEqual([MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 4 * HOUR]);
    expect(times.at(-1)).toBeLessThanOrEqual(3 * DAY);
    expect(times.at(-1)).toBeGreaterThan(3 * DAY - 4 * HOUR);
  });

  it('keeps 500 characters of a reply', () => {
    const copy = afterAttempt(newCopy('a@example.com', 0, 0), { ...busy, response: 'x'.repeat(600) }, 0);
    expect(copy.response).toHaveLength(500);
  });
});

describe('queueAgain', () => {
  const queued = newCopy('a@example.com', 0, 0);
  const failed = afterAttempt(queued, { kind: 'permanent', response: '550 No' }, 1);
  const sent = afterAttempt(queued, { kind: 'sent', response: '250 OK' }, 1);
  const deferred = afterAttempt(queued, busy, 1);

  it.each([
    ['failed', 'failed', failed, true],
    ['failed', 'sent', sent, false],
    ['all', 'failed', failed, true],
    ['all', 'sent', sent, true],
    ['all', 'deferred', deferred, false],
    ['all', 'queued', queued, false],
  ] as const)('to %s: one that is %s', (to, _state, copy, isQueued) => {
    expect(queueAgain(copy, to, 9)).toEqual(
      isQueued ? { ...copy, state: 'queued', attempts: 0, nextAttemptAt: 9, queuedAt: 9, round: 1 } : copy,
    );
  });
});
