import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import type { StoredLink } from '../src/stored-link.ts';
import { bitlink, fallback, refusal, runWithBitly, type WithBitly } from './running-bitly.ts';

let running: WithBitly;
afterEach(() => running.stop());

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
    // On a slow machine a link may come too late for who asked first.
    const finals = async () => {
      const links = await Promise.all([1, 2, 3, 4, 5, 6].map((jobId) => shortlink.linkOf(jobId)));
      return links.filter(({ final }) => final).length;
    };
    // And what it was granted is given back: a replica that saw the budget used up asks again after some seconds.
    const isUsedUp = async () => {
      if ((await finals()) >= 3) return true;
      clock.advance(5000);
      return false;
    };
    await waitFor(isUsedUp, { what: 'the links that the budget is for' });
    expect(await finals()).toBe(3);
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

  it('is spent once, however often one link is asked for in vain', async () => {
    running = await runWithBitly({ BITLY_BUDGET: '2' });
    const { shortlink, bitly } = running;
    bitly.behave(refusal(500, 'INTERNAL_ERROR'));
    for (let attempt = 1; attempt <= 4; attempt++) expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    expect(await spent('2026-03')).toBe(1);
    bitly.behave('fine');
    expect(await shortlink.linkOf(1)).toEqual(bitlink());
    expect(await shortlink.linkOf(2)).toEqual(bitlink());
    expect(await spent('2026-03')).toBe(2);
  });

  it('is not spent, and bitly not asked, where the database takes the time that there was', async () => {
    running = await runWithBitly({ BITLY_BUDGET: '5' });
    const { shortlink, bitly, calls } = running;
    bitly.behave('limited');
    await shortlink.linkOf(1);
    bitly.behave('fine');
    running.clock.advance(60_000);
    const links = shortlink.mongo.collection<StoredLink>('links');
    // Its job is there, so that nothing but the note of the call waits for what follows.
    await links.updateOne({ jobId: 1 }, { $unset: { checkAt: '' } });
    const session = await shortlink.mongo.startSession();
    session.startTransaction();
    await links.updateOne({ jobId: 1 }, { $set: { createdAt: new Date(0) } }, { session });
    const asking = shortlink.linkOf(1, 900);
    await waitFor(async () => (await spent('2026-03')) === 1, { what: 'the grant' });
    const granted = Date.now();
    await waitFor(() => Date.now() - granted > 400, { what: 'the time to be over' });
    await session.abortTransaction();
    await session.endSession();
    // On a slow machine what follows takes the rest of the time, and goes on after it.
    const late = expect.objectContaining({ code: 'deadline_exceeded' });
    expect([fallback(1), late]).toContainEqual(await asking.catch((error: unknown) => error));
    await waitFor(async () => (await spent('2026-03')) === 0, { what: 'the budget to be given back' });
    expect(calls().made).toBe(1);
    expect(await links.findOne({ jobId: 1 })).not.toHaveProperty('asked');
  });

  it('is asked for once in some seconds where it is used up', async () => {
    running = await runWithBitly({ BITLY_BUDGET: '1' });
    const { shortlink, clock } = running;
    await shortlink.linkOf(1);
    expect(await shortlink.linkOf(2)).toEqual(fallback(2));
    await shortlink.mongo.collection('allowances').updateMany({}, { $set: { spent: 0 } });
    clock.advance(4999);
    expect(await shortlink.linkOf(2)).toEqual(fallback(2));
    clock.advance(1);
    expect(await shortlink.linkOf(2)).toEqual(bitlink());
  });

  it('is forgotten some time after its period', async () => {
    running = await runWithBitly();
    await running.shortlink.linkOf(1);
    const indexes = await running.shortlink.mongo.collection('allowances').indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expireAt: 1 }, expireAfterSeconds: 0 }));
    const [allowance] = await running.shortlink.mongo.collection('allowances').find().toArray();
    expect(allowance?.['expireAt'].getTime()).toBeGreaterThan(Date.now() + 31 * 86_400_000);
  });

  it('is given back where nobody is there', async () => {
    running = await runWithBitly({ BITLY_BUDGET: '5' });
    await running.bitly.goAway();
    expect(await running.shortlink.linkOf(1)).toEqual(fallback(1));
    expect(await spent('2026-03')).toBe(0);
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
