import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { allowanceModel } from '../src/models/allowance.ts';
import {
  AFTER_FAILURE_MS,
  fallback,
  refusal,
  type RunningWithBitly,
  runWithBitly,
} from './running-shortlink.ts';

let shortlink: RunningWithBitly;
afterEach(() => shortlink.stop());

const spent = async (_id: string) =>
  (await allowanceModel(shortlink.mongo).findOne({ _id }).lean())?.spent ?? 0;
const isFinal = async (jobId: number) => (await shortlink.createLink(jobId)).final;

describe('BITLY_BUDGET', () => {
  it('allows so many links in a month to all replicas, then gives the fallback without a call', async () => {
    shortlink = await runWithBitly({ BITLY_BUDGET: '3' });
    await shortlink.addReplica();
    const jobIds = Array.from({ length: 12 }, (_, index) => index + 1);
    const areFinal = () => Promise.all(jobIds.map(isFinal));
    await waitFor(
      async () => {
        // On a slow machine a call may have been put off.
        shortlink.clock.advance(AFTER_FAILURE_MS);
        return (await areFinal()).filter(Boolean).length === 3;
      },
      { what: 'the three links that the budget is for' },
    );
    const { made } = shortlink.calls();
    expect((await areFinal()).filter(Boolean)).toHaveLength(3);
    shortlink.clock.set('2026-03-31T23:59:59.999Z');
    expect(await shortlink.createLink(20)).toEqual(fallback(20));
    expect(shortlink.calls().made).toBe(made);
    shortlink.clock.set('2026-04-01T00:00:00Z');
    expect(await isFinal(20)).toBe(true);
    expect([await spent('2026-03'), await spent('2026-04')]).toEqual([3, 1]);
  });

  it.each([
    ['day', '2026-03-02T00:00:00Z'],
    ['hour', '2026-03-01T13:00:00Z'],
  ])('begins anew with each %s where that is its period', async (period, next) => {
    shortlink = await runWithBitly({ BITLY_BUDGET: '1', BITLY_BUDGET_PERIOD: period });
    expect(await isFinal(1)).toBe(true);
    expect(await isFinal(2)).toBe(false);
    shortlink.clock.set(next);
    expect(await isFinal(2)).toBe(true);
  });

  it('is not spent by requests for a link that exists', async () => {
    shortlink = await runWithBitly({ BITLY_BUDGET: '2' });
    for (let request = 0; request < 3; request++) await shortlink.createLink(1);
    expect(await spent('2026-03')).toBe(1);
  });

  it('is spent once for a link that takes several calls', async () => {
    shortlink = await runWithBitly({ BITLY_BUDGET: '2' });
    shortlink.bitly.behave(refusal(500, 'INTERNAL_ERROR'));
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await isFinal(1)).toBe(false);
      shortlink.clock.advance(AFTER_FAILURE_MS);
    }
    shortlink.bitly.behave('mute');
    expect((await shortlink.createLink(1)).final).toBe(false);
    shortlink.clock.advance(AFTER_FAILURE_MS);
    shortlink.bitly.behave('fine');
    expect(await isFinal(1)).toBe(true);
    expect(shortlink.calls().made).toBe(5);
    expect(await isFinal(2)).toBe(true);
    expect(await spent('2026-03')).toBe(2);
  });

  it('is spent once for a link that many request at once', async () => {
    shortlink = await runWithBitly({ BITLY_BUDGET: '5' });
    await shortlink.addReplica();
    await Promise.all(Array.from({ length: 20 }, () => shortlink.createLink(1)));
    await waitFor(() => isFinal(1), { what: 'the link' });
    expect(shortlink.calls().made).toBe(1);
    expect(await spent('2026-03')).toBe(1);
  });

  it('pays again in the next period for a link that was not made in this one', async () => {
    shortlink = await runWithBitly({ BITLY_BUDGET: '1' });
    shortlink.bitly.behave(refusal(500, 'INTERNAL_ERROR'));
    expect(await isFinal(1)).toBe(false);
    shortlink.bitly.behave('fine');
    shortlink.clock.set('2026-04-01T00:00:00Z');
    expect(await isFinal(1)).toBe(true);
    expect(await isFinal(2)).toBe(false);
    expect(await spent('2026-04')).toBe(1);
  });

  it('is forgotten two months after its period', async () => {
    shortlink = await runWithBitly();
    await shortlink.createLink(1);
    const indexes = await shortlink.mongo.collection('allowances').indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expireAt: 1 }, expireAfterSeconds: 0 }));
    const allowance = await allowanceModel(shortlink.mongo).findOne().lean();
    expect(allowance?.expireAt.getTime()).toBeGreaterThan(Date.now() + 31 * 86_400_000);
  });
});
