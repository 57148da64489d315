import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { AFTER_FAILURE_MS, fallback, type RunningWithBitly, runWithBitly } from './running-shortlink.ts';

let shortlink: RunningWithBitly;

const untilRemoved = async (jobId: number) => {
  await waitFor(async () => (await shortlink.stored(jobId)) === null, {
    what: `the link of job ${jobId} to be removed at bitly`,
  });
};
const untilFailed = (jobId: number, attempts: number) =>
  waitFor(async () => (await shortlink.stored(jobId))?.removal?.attempts === attempts, {
    what: `${attempts} failed attempts to remove the link of job ${jobId}`,
  });

describe('removeLinks with bitly', () => {
  let lastJob = 0;
  beforeAll(async () => {
    shortlink = await runWithBitly();
  });
  afterAll(() => shortlink.stop());

  const createOne = async () => {
    const jobId = ++lastJob;
    shortlink.bitly.behave('fine');
    await shortlink.createLink(jobId);
    return jobId;
  };

  it('removes the link at bitly, and no other', async () => {
    const jobId = await createOne();
    const kept = await createOne();
    expect(await shortlink.removeLinks(jobId)).toBe(1);
    expect(await shortlink.removeLinks(jobId)).toBe(0);
    await untilRemoved(jobId);
    expect([...shortlink.bitly.links.values()]).toEqual([`https://search.example.com/Share/Job${kept}`]);
  });

  it.each([404, 410])('takes %i as success', async (status) => {
    const jobId = await createOne();
    shortlink.bitly.behave({ status }, 'remove');
    await shortlink.removeLinks(jobId);
    await untilRemoved(jobId);
  });

  it.each([
    ['answers 500', { status: 500 }],
    ['answers 403', { status: 403 }],
    ['never answers', 'hang' as const],
    ['closes the connection', 'drop' as const],
  ])('answers at once, and tries again half a minute later when bitly %s', async (_what, behaviour) => {
    const jobId = await createOne();
    shortlink.bitly.behave(behaviour, 'remove');
    expect(await shortlink.removeLinks(jobId)).toBe(1);
    expect(await shortlink.createLink(jobId)).toEqual(fallback(jobId));
    await untilFailed(jobId, 1);
    shortlink.bitly.behave('fine', 'remove');
    shortlink.clock.advance(30_000);
    await untilRemoved(jobId);
  });

  it('tries again with growing pauses', async () => {
    const jobId = await createOne();
    shortlink.bitly.behave({ status: 500 }, 'remove');
    await shortlink.removeLinks(jobId);
    await untilFailed(jobId, 1);
    shortlink.clock.advance(30_000);
    await untilFailed(jobId, 2);
    const dueAt = new Date(shortlink.clock.now() + 60_000);
    expect((await shortlink.stored(jobId))?.removal).toEqual({ attempts: 2, dueAt });
  });
});

describe('the removal of links at bitly', () => {
  afterEach(() => shortlink.stop());

  it('is finished by another replica after a restart, and while builtin makes the links', async () => {
    shortlink = await runWithBitly();
    await shortlink.createLink(1);
    await shortlink.bitly.goAway();
    await shortlink.removeLinks(1);
    await untilFailed(1, 1);
    await shortlink.stopReplicas();
    await shortlink.bitly.comeBack();
    shortlink.clock.advance(30_000);
    await shortlink.addReplica({ SHORTLINK_PROVIDER: 'builtin' });
    await untilRemoved(1);
    expect(shortlink.bitly.links.size).toBe(0);
  });

  it('removes the link that bitly made without an answer, over the budget too', async () => {
    shortlink = await runWithBitly({ BITLY_BUDGET: '1' });
    shortlink.bitly.behave('mute', 'shorten');
    expect(await shortlink.createLink(1)).toEqual(fallback(1));
    expect(shortlink.bitly.links.size).toBe(1);
    shortlink.bitly.behave('fine');
    await shortlink.removeLinks(1);
    shortlink.clock.advance(AFTER_FAILURE_MS);
    await untilRemoved(1);
    expect(shortlink.bitly.links.size).toBe(0);
  });

  it.each([
    ['a refusal', { status: 403, body: '{"message":"FORBIDDEN"}' }],
    ['a limit', 'limited' as const],
    ['no server', undefined],
  ])('removes such a link though a second call met %s', async (_what, met) => {
    shortlink = await runWithBitly();
    const { bitly, clock } = shortlink;
    bitly.behave('mute', 'shorten');
    expect(await shortlink.createLink(1)).toEqual(fallback(1));
    clock.advance(AFTER_FAILURE_MS);
    if (met === undefined) await bitly.goAway();
    else bitly.behave(met, 'shorten');
    expect(await shortlink.createLink(1)).toEqual(fallback(1));
    if (met === undefined) await bitly.comeBack();
    bitly.behave('fine');
    clock.advance(3_600_000);
    await shortlink.removeLinks(1);
    await untilRemoved(1);
    expect(bitly.links.size).toBe(0);
  });

  it('leaves nothing behind where bitly makes the link after the removal', async () => {
    shortlink = await runWithBitly();
    shortlink.bitly.behave('hang', 'shorten');
    const request = shortlink.createLink(1);
    await waitFor(() => shortlink.bitly.calls.length === 1, { what: 'the call that makes the link' });
    await shortlink.removeLinks(1);
    shortlink.bitly.behave('fine');
    expect(await request).toEqual(fallback(1));
    expect(shortlink.calls().removed).toBe(0);
    shortlink.bitly.links.set('bit.ly/late', 'https://search.example.com/Share/Job1');
    shortlink.clock.advance(AFTER_FAILURE_MS);
    await untilRemoved(1);
    expect(shortlink.bitly.links.size).toBe(0);
  });

  it('counts no attempt while the breaker is open', async () => {
    shortlink = await runWithBitly({}, { breakMs: 3_600_000 });
    await shortlink.createLinks(6);
    shortlink.bitly.behave({ status: 500 }, 'remove');
    await shortlink.removeLinks(1, 2, 3, 4, 5);
    for (const jobId of [1, 2, 3, 4, 5]) await untilFailed(jobId, 1);
    await shortlink.removeLinks(6);
    shortlink.clock.advance(30_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await shortlink.stored(6))?.removal?.attempts).toBe(0);
    expect(shortlink.calls().removed).toBe(5);
  });

  it('makes no call where bitly was never asked', async () => {
    shortlink = await runWithBitly({ BITLY_BUDGET: '1' });
    await shortlink.createLinks(2);
    expect(await shortlink.removeLinks(2)).toBe(1);
    await untilRemoved(2);
    expect(shortlink.calls()).toEqual({ made: 1, removed: 0 });
  });
});
