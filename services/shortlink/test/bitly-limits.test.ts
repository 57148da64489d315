import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { bitlink, fallback, runWithBitly, type WithBitly } from './running-bitly.ts';

let running: WithBitly;
afterEach(() => running.stop());

const refusal = (status: number, message: string) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message, resource: 'bitlinks', description: 'No.' }),
});

describe('a budget that is used up', () => {
  const spent = async (period: string) =>
    (
      await running.shortlink.mongo
        .collection<{ _id: string; spent: number }>('allowances')
        .findOne({ _id: period })
    )?.spent;

  it('gives the fallback without a call, in all replicas, until the next month', async () => {
    running = await runWithBitly({ BITLY_BUDGET: '3' });
    const { shortlink, clock, calls } = running;
    await shortlink.addReplica();
    const links = await Promise.all([1, 2, 3, 4, 5, 6].map((jobId) => shortlink.linkOf(jobId)));
    expect(links.filter(({ final }) => final)).toHaveLength(3);
    expect(calls().made).toBe(3);
    clock.set('2026-03-31T23:59:59.999Z');
    expect(await shortlink.linkOf(7)).toEqual(fallback(7));
    clock.set('2026-04-01T00:00:00Z');
    expect(await shortlink.linkOf(7)).toEqual(bitlink());
    expect([await spent('2026-03'), await spent('2026-04')]).toEqual([3, 1]);
  });

  it('is not spent by asking again', async () => {
    running = await runWithBitly({ BITLY_BUDGET: '1' });
    const { shortlink } = running;
    const first = await shortlink.linkOf(1);
    expect(await shortlink.linkOf(1)).toEqual(first);
    expect(await shortlink.linkOf(2)).toEqual(fallback(2));
    expect(await spent('2026-03')).toBe(1);
  });

  it.each([
    ['day', '2026-03-02T00:00:00Z'],
    ['hour', '2026-03-01T13:00:00Z'],
  ])('begins anew with each %s where that is its period', async (period, next) => {
    running = await runWithBitly({ BITLY_BUDGET: '1', BITLY_BUDGET_PERIOD: period });
    const { shortlink, clock } = running;
    await shortlink.linkOf(1);
    expect(await shortlink.linkOf(2)).toEqual(fallback(2));
    clock.set(next);
    expect(await shortlink.linkOf(2)).toEqual(bitlink());
  });

  it.each([
    ['a limit', refusal(429, 'RATE_LIMIT_EXCEEDED'), 0],
    ['a refusal', refusal(403, 'FORBIDDEN'), 0],
    ['a fault', refusal(500, 'INTERNAL_ERROR'), 1],
    ['no answer', 'hang' as const, 1],
    ['a link that is not new', 'mute' as const, 1],
  ])('is given back where bitly made nothing for certain: %s', async (_what, behaviour, expected) => {
    running = await runWithBitly({ BITLY_BUDGET: '5' });
    running.bitly.behave(behaviour);
    await running.shortlink.linkOf(1);
    expect(await spent('2026-03')).toBe(expected);
    if (behaviour !== 'mute') return;
    running.bitly.behave('fine');
    expect(await running.shortlink.linkOf(1)).toEqual(bitlink());
    expect(await spent('2026-03')).toBe(1);
  });

  it('is given back where nobody is there', async () => {
    running = await runWithBitly({ BITLY_BUDGET: '5' });
    await running.bitly.goAway();
    expect(await running.shortlink.linkOf(1)).toEqual(fallback(1));
    expect(await spent('2026-03')).toBe(0);
  });
});

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

describe('failures in a row', () => {
  const fail = async (times: number) => {
    for (let jobId = 1; jobId <= times; jobId++) {
      expect(await running.shortlink.linkOf(jobId)).toEqual(fallback(jobId));
    }
  };

  it.each([
    ['500', refusal(500, 'INTERNAL_ERROR')],
    ['503', refusal(503, 'TEMPORARILY_UNAVAILABLE')],
    ['403', refusal(403, 'FORBIDDEN')],
    ['402', refusal(402, 'UPGRADE_REQUIRED')],
    ['a closed connection', 'drop' as const],
  ])('stop the calls, and one that works lets them go on: %s', async (_what, behaviour) => {
    running = await runWithBitly({ BITLY_BREAK_MS: '3600000' });
    const { shortlink, bitly, calls } = running;
    bitly.behave(behaviour);
    await fail(8);
    expect(calls().made).toBe(5);
    await shortlink.stopReplicas();
    bitly.behave('fine');
    await shortlink.addReplica();
    expect(await shortlink.linkOf(1)).toEqual(bitlink());
  });

  it('let one call through after a while, and no second one before it is answered', async () => {
    running = await runWithBitly({ BITLY_BREAK_MS: '50' });
    const { shortlink, bitly, calls } = running;
    bitly.behave(refusal(500, 'INTERNAL_ERROR'));
    await fail(5);
    bitly.behave('hang');
    const probe = waitFor(
      async () => {
        await shortlink.linkOf(6);
        return calls().made === 6;
      },
      { what: 'the probe' },
    );
    await waitFor(() => calls().made === 6, { what: 'the probe at bitly', everyMs: 5 });
    expect(await shortlink.linkOf(7)).toEqual(fallback(7));
    expect(calls().made).toBe(6);
    await probe;
    bitly.behave('fine');
    await waitFor(async () => (await shortlink.linkOf(7)).final, { what: 'the circuit to close' });
    expect(await shortlink.linkOf(8)).toEqual(bitlink());
  });
});
