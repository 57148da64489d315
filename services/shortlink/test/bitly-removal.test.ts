import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { bitlink, fallback, runWithBitly, type WithBitly } from './running-bitly.ts';
import { askingStore } from '../src/asking-store.ts';
import { type StoredLink, toLink } from '../src/stored-link.ts';

let running: WithBitly;
afterEach(() => running.stop());

const stored = (jobId: number) => running.shortlink.mongo.collection<StoredLink>('links').findOne({ jobId });
const gone = (jobId: number) =>
  waitFor(async () => (await stored(jobId)) === null, { what: `the removal of ${jobId}` });
const attempted = (jobId: number, attempts: number) =>
  waitFor(async () => (await stored(jobId))?.removal?.attempts === attempts, { what: `attempt ${attempts}` });
/** The removal was tried, the circuit is closed again, and it is not due now. */
const putOff = (jobId: number, calls: number) =>
  waitFor(
    async () => {
      const dueAt = (await stored(jobId))?.removal?.dueAt;
      return running.calls().removed === calls && dueAt && dueAt.getTime() > running.clock.now();
    },
    { what: 'a removal that is put off' },
  );

describe('the removal of a job', () => {
  it('removes its link at bitly, and no other', async () => {
    running = await runWithBitly();
    const { shortlink, bitly } = running;
    await shortlink.linkOf(1);
    await shortlink.linkOf(2);
    expect(await shortlink.remove([1])).toBe(1);
    await gone(1);
    expect([...bitly.links.values()]).toEqual(['https://search.example.com/Share/Job2']);
  });

  it.each([
    ['404', 404],
    ['410', 410],
  ])('takes %s as done', async (_what, status) => {
    running = await runWithBitly();
    const { shortlink, bitly, calls } = running;
    await shortlink.linkOf(1);
    bitly.behave({ status }, 'remove');
    await shortlink.remove([1]);
    await gone(1);
    expect(calls().removed).toBe(1);
  });

  it.each([
    ['answers 500', { status: 500 }],
    ['answers 403', { status: 403 }],
    ['never answers', 'hang' as const],
    ['closes the connection', 'drop' as const],
  ])('does not wait for bitly, and tries again with growing pauses: it %s', async (_what, behaviour) => {
    running = await runWithBitly();
    const { shortlink, bitly, clock, calls } = running;
    await shortlink.linkOf(1);
    bitly.behave(behaviour, 'remove');
    expect(await shortlink.remove([1])).toBe(1);
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    await attempted(1, 1);
    clock.advance(30_000);
    await attempted(1, 2);
    expect((await stored(1))?.removal?.dueAt).toEqual(new Date(clock.now() + 60_000));
    expect(calls().removed).toBe(2);
    bitly.behave('fine', 'remove');
    clock.advance(60_000);
    await gone(1);
    expect(bitly.links.size).toBe(0);
  });

  it('waits for as long as a 429 asks, in one pause with the making of links', async () => {
    running = await runWithBitly();
    const { shortlink, bitly, clock, calls } = running;
    await shortlink.linkOf(1);
    bitly.behave({ status: 429, headers: { 'retry-after': '600' } }, 'remove');
    await shortlink.remove([1]);
    await putOff(1, 1);
    bitly.behave('fine');
    expect(await shortlink.linkOf(2)).toEqual(fallback(2));
    expect(calls()).toEqual({ made: 1, removed: 1 });
    expect((await stored(1))?.removal?.attempts).toBe(0);
    clock.advance(600_000);
    await gone(1);
    expect(await shortlink.linkOf(2)).toEqual(bitlink());
  });

  it('is finished by another replica after a restart, and while builtin makes the links', async () => {
    running = await runWithBitly();
    const { shortlink, bitly, clock } = running;
    await shortlink.linkOf(1);
    await bitly.goAway();
    await shortlink.remove([1]);
    await attempted(1, 1);
    await shortlink.stopReplicas();
    await bitly.comeBack();
    clock.advance(30_000);
    await shortlink.addReplica({ SHORTLINK_PROVIDER: 'builtin' });
    await gone(1);
    expect(bitly.links.size).toBe(0);
  });

  it('finds the link that bitly made without saying so', async () => {
    running = await runWithBitly();
    const { shortlink, bitly, clock } = running;
    bitly.behave('mute', 'shorten');
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    expect(bitly.links.size).toBe(1);
    bitly.behave('fine');
    expect(await shortlink.remove([1])).toBe(1);
    clock.advance(5000);
    await gone(1);
    expect(bitly.links.size).toBe(0);
  });

  it('leaves nothing behind where bitly answers after it', async () => {
    running = await runWithBitly();
    const { shortlink, bitly, clock } = running;
    bitly.behave('hang', 'shorten');
    const asking = shortlink.linkOf(1);
    await waitFor(() => bitly.calls.length === 1, { what: 'the call' });
    await shortlink.remove([1]);
    bitly.behave('fine');
    expect(await asking).toEqual(fallback(1));
    clock.advance(5000);
    await gone(1);
    expect(bitly.links.size).toBe(0);
  });

  it.each([
    ['a refusal', { status: 403, body: '{"message":"FORBIDDEN"}' }],
    ['a limit', 'limited' as const],
    ['nobody there', undefined],
  ])('finds the link that bitly made without saying so, though asking again met %s', async (_what, met) => {
    running = await runWithBitly();
    const { shortlink, bitly, clock } = running;
    bitly.behave('mute', 'shorten');
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    if (met === undefined) await bitly.goAway();
    else bitly.behave(met, 'shorten');
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    if (met === undefined) await bitly.comeBack();
    bitly.behave('fine');
    clock.advance(3_600_000);
    expect(await shortlink.remove([1])).toBe(1);
    clock.advance(5000);
    await gone(1);
    expect(bitly.links.size).toBe(0);
  });

  it('finds it over the budget too: it was taken from it before', async () => {
    running = await runWithBitly({ BITLY_BUDGET: '1' });
    const { shortlink, bitly, clock } = running;
    bitly.behave('mute', 'shorten');
    await shortlink.linkOf(1);
    bitly.behave('fine');
    await shortlink.remove([1]);
    clock.advance(5000);
    await gone(1);
    expect(bitly.links.size).toBe(0);
  });

  it('keeps to a pause that another replica was asked for', async () => {
    running = await runWithBitly();
    const { shortlink, bitly, clock, calls } = running;
    await shortlink.linkOf(1);
    bitly.behave({ status: 429, headers: { 'retry-after': '600' } });
    await shortlink.linkOf(2);
    bitly.behave('fine');
    await shortlink.stopReplicas();
    await shortlink.mongo
      .collection<StoredLink>('links')
      .updateOne({ jobId: 1 }, { $set: { removal: { dueAt: new Date(0), attempts: 0, refusals: 0 } } });
    await shortlink.addReplica();
    const started = Date.now();
    await waitFor(() => Date.now() - started > 500, { what: 'the time in which it would be removed' });
    expect(calls().removed).toBe(0);
    clock.advance(600_000);
    await gone(1);
  });

  it('counts no attempt while bitly is left alone after failures', async () => {
    running = await runWithBitly({ BITLY_BREAK_MS: '3600000' });
    const { shortlink, bitly, clock, calls } = running;
    bitly.behave({ status: 500 });
    for (let jobId = 1; jobId <= 5; jobId++) expect(await shortlink.linkOf(jobId)).toEqual(fallback(jobId));
    await shortlink.remove([1]);
    clock.advance(5000);
    const due = async () => (await stored(1))?.removal?.dueAt?.getTime();
    await waitFor(async () => (await due()) === clock.now() + 30_000, { what: 'a removal that is put off' });
    expect((await stored(1))?.removal?.attempts).toBe(0);
    expect(calls()).toEqual({ made: 5, removed: 0 });
  });

  it('removes each of two links that bitly has of it', async () => {
    running = await runWithBitly();
    const { shortlink, bitly } = running;
    await shortlink.linkOf(1);
    const link = await stored(1);
    if (!link) throw new Error('no link');
    const second = { id: 'bit.ly/second', url: 'https://bit.ly/second' };
    bitly.links.set(second.id, 'https://search.example.com/Share/Job1');
    await askingStore(shortlink.mongo).attach(toLink(link), second);
    await shortlink.remove([1]);
    await gone(1);
    expect(bitly.links.size).toBe(0);
  });

  it('asks bitly for nothing where it never was asked', async () => {
    running = await runWithBitly();
    const { shortlink, bitly, calls } = running;
    await bitly.goAway();
    await shortlink.linkOf(1);
    expect(await shortlink.remove([1])).toBe(1);
    await gone(1);
    expect(calls()).toEqual({ made: 0, removed: 0 });
  });
});
