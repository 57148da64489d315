import { afterEach, describe, expect, it } from '@jest/globals';
import { allowanceStore } from '../src/bitly/allowance-store.ts';
import { bitlink, fallback, refusal, runWithBitly, type WithBitly } from './running-bitly.ts';

let running: WithBitly;
afterEach(() => running.stop());

describe('a 429', () => {
  it.each([
    ['in seconds', '120', 120_000],
    ['as a date', 'Sun, 01 Mar 2026 12:02:00 GMT', 120_000],
    ['far away', '86400', 3_600_000],
    ['without a Retry-After', undefined, 60_000],
  ])('stops the calls of all replicas: %s', async (_what, retryAfter, pauseMs) => {
    running = await runWithBitly();
    const { shortlink, bitly, clock, calls } = running;
    await shortlink.addReplica();
    bitly.behave({
      ...refusal(429, 'RATE_LIMIT_EXCEEDED'),
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    });
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    bitly.behave('fine');
    clock.advance(pauseMs - 1);
    const links = await Promise.all([1, 2, 3, 4, 5, 6].map((jobId) => shortlink.linkOf(jobId)));
    expect(links).toEqual([1, 2, 3, 4, 5, 6].map(fallback));
    expect(calls().made).toBe(1);
    clock.advance(1);
    expect(await shortlink.linkOf(1)).toEqual(bitlink());
  });

  it.each([
    ['of the hour', 'limited' as const, 60_000],
    ['of the month', 'plan-limited' as const, 3_600_000],
    ['of the month, as a 429', refusal(429, 'MONTHLY_RATE_LIMIT_EXCEEDED'), 3_600_000],
    ['that only a header tells of', { status: 403, headers: { 'x-ratelimit-reason': 'ip' } }, 60_000],
  ])('is meant by a limit %s, too', async (_what, behaviour, pauseMs) => {
    running = await runWithBitly();
    const { shortlink, bitly, clock, calls } = running;
    bitly.behave(behaviour);
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    bitly.behave('fine');
    clock.advance(pauseMs - 1);
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    expect(calls().made).toBe(1);
    clock.advance(1);
    expect(await shortlink.linkOf(1)).toEqual(bitlink());
  });

  it('is not shortened by another one that came at the same time', async () => {
    running = await runWithBitly();
    const { shortlink, clock } = running;
    const allowance = allowanceStore(shortlink.mongo, { budget: 0, period: 'month' });
    const now = clock.now();
    await allowance.pause(now + 600_000, now);
    await allowance.pause(now + 60_000, now);
    clock.advance(599_999);
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    clock.advance(1);
    expect(await shortlink.linkOf(1)).toEqual(bitlink());
  });

  it('holds across the end of a period, but not for a clock that is set back', async () => {
    running = await runWithBitly({ BITLY_BUDGET: '9', BITLY_BUDGET_PERIOD: 'hour' });
    const { shortlink, bitly, clock } = running;
    clock.set('2026-03-01T12:59:50Z');
    bitly.behave({ ...refusal(429, 'RATE_LIMIT_EXCEEDED'), headers: { 'retry-after': '20' } });
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    bitly.behave('fine');
    await shortlink.stopReplicas();
    await shortlink.addReplica();
    clock.set('2026-03-01T13:00:09Z');
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    clock.set('2026-03-01T09:00:00Z');
    expect(await shortlink.linkOf(1)).toEqual(bitlink());
  });
});
