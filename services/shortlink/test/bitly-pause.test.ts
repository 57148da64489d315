import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { fallback, refusal, type RunningWithBitly, runWithBitly } from './running-shortlink.ts';

let shortlink: RunningWithBitly;
afterEach(() => shortlink.stop());

const limited = (retryAfter?: string) =>
  refusal(429, 'RATE_LIMIT_EXCEEDED', retryAfter === undefined ? {} : { 'retry-after': retryAfter });

describe('a limit of bitly', () => {
  it.each([
    ['429 with Retry-After', limited('120'), 120_000],
    ['429 with a Retry-After of a day', limited('86400'), 3_600_000],
    ['429 without Retry-After', limited(), 60_000],
    ['403 for the limit of the hour', 'limited' as const, 60_000],
    ['403 for the limit of the month', 'plan-limited' as const, 3_600_000],
    ['429 for the limit of the month', refusal(429, 'MONTHLY_RATE_LIMIT_EXCEEDED'), 3_600_000],
    ['403 with the header alone', { status: 403, headers: { 'x-ratelimit-reason': 'ip' } }, 60_000],
  ])('stops the calls of all replicas: %s', async (_what, behaviour, pauseMs) => {
    shortlink = await runWithBitly();
    await shortlink.addReplica();
    shortlink.bitly.behave(behaviour);
    expect(await shortlink.createLink(1)).toEqual(fallback(1));
    shortlink.bitly.behave('fine');
    shortlink.clock.advance(pauseMs - 1);
    const links = await Promise.all([1, 2, 3, 4, 5, 6].map((jobId) => shortlink.createLink(jobId)));
    expect(links).toEqual([1, 2, 3, 4, 5, 6].map(fallback));
    expect(shortlink.calls().made).toBe(1);
    shortlink.clock.advance(1);
    expect((await shortlink.createLink(1)).final).toBe(true);
  });

  it('stops the calls of a replica that starts in the pause', async () => {
    shortlink = await runWithBitly();
    shortlink.bitly.behave(limited('600'));
    await shortlink.createLink(1);
    shortlink.bitly.behave('fine');
    await shortlink.stopReplicas();
    await shortlink.addReplica();
    shortlink.clock.advance(599_999);
    expect(await shortlink.createLink(1)).toEqual(fallback(1));
    shortlink.clock.advance(1);
    expect((await shortlink.createLink(1)).final).toBe(true);
  });

  it('stops the removal of links as well', async () => {
    shortlink = await runWithBitly();
    await shortlink.createLink(1);
    shortlink.bitly.behave(limited('600'), 'remove');
    await shortlink.removeLinks(1);
    await waitFor(() => shortlink.calls().removed === 1, { what: 'the call that is refused' });
    shortlink.bitly.behave('fine');
    expect(await shortlink.createLink(2)).toEqual(fallback(2));
    shortlink.clock.advance(599_999);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(shortlink.calls()).toEqual({ made: 1, removed: 1 });
    shortlink.clock.advance(1);
    await waitFor(() => shortlink.bitly.links.size === 0, { what: 'the removal after the pause' });
    expect((await shortlink.createLink(2)).final).toBe(true);
  });
});
