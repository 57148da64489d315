import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { removingExpired } from '../src/tasks/remove-expired.ts';
import { logStore } from '../src/store/log-store.ts';
import { caller } from './running-events.ts';
import { runWebhooks, type RunningWebhooks } from './running-webhooks.ts';

const HOUR_MS = 3600_000;

let hooks: RunningWebhooks;
beforeEach(async () => {
  hooks = await runWebhooks();
});
afterEach(() => hooks.stop());

const tell = async (jobId: number, versions: readonly number[]) => {
  for (const version of versions) await hooks.tell('updated', { jobId, version });
};
/** A receiver that has got two versions of job 1 and one of job 2, and the cursor after the first. */
async function follow() {
  const made = await hooks.receive();
  await tell(1, [1, 2]);
  await tell(2, [1]);
  await waitFor(() => made.receiver.received.length === 3, { what: 'three events' });
  await hooks.attempted(made.webhook.id, 3);
  const { cursor } = await hooks.list({ limit: 1 });
  return { ...made, after: cursor?.next as string };
}

describe('replay', () => {
  it('after a cursor sends all events after it again, in order, under the same ids and as the same bytes', async () => {
    const { receiver, webhook, after } = await follow();
    expect(await hooks.replay(webhook.id, { after })).toEqual({ events: 2 });
    await waitFor(() => receiver.received.length === 5, { what: 'two more' });
    const sent = (from: number, to: number) =>
      receiver.received
        .slice(from, to)
        .map(({ headers, body }) => `${headers['webhook-id']} ${body}`)
        .toSorted();
    expect(sent(3, 5)).toEqual(sent(0, 3).filter((one) => !one.startsWith('job:1:1 ')));
    expect(receiver.versionsOf(1)).toEqual([1, 2, 2]);
    await tell(1, [3]);
    await waitFor(() => receiver.versionsOf(1).at(-1) === 3, { what: 'a new one' });
  });

  it('is done once for an Idempotency-Key', async () => {
    const { receiver, webhook, after } = await follow();
    const context = { ...caller(), idempotencyKey: 'once' };
    expect(await hooks.replay(webhook.id, { after }, context)).toEqual({ events: 2 });
    await waitFor(() => receiver.received.length === 5, { what: 'two more' });
    expect(await hooks.replay(webhook.id, { after }, context)).toEqual({ events: 2 });
    await tell(3, [1]);
    await waitFor(() => receiver.versionsOf(3).length === 1, { what: 'a new one' });
    expect(receiver.received).toHaveLength(6);
  });

  it('of a time sends what was logged in it', async () => {
    const { receiver, webhook } = await follow();
    hooks.clock.advance(HOUR_MS);
    await tell(3, [1, 2]);
    await waitFor(() => receiver.versionsOf(3).length === 2, { what: 'the next hour' });
    hooks.clock.advance(HOUR_MS);
    await tell(4, [1]);
    await waitFor(() => receiver.versionsOf(4).length === 1, { what: 'the last hour' });
    await hooks.attempted(webhook.id, 6);
    const range = { from: '2026-03-10T16:00:00Z', to: '2026-03-10T17:00:00Z' };
    expect(await hooks.replay(webhook.id, range)).toEqual({ events: 2 });
    await waitFor(() => receiver.received.length === 8, { what: 'two more' });
    expect(receiver.versionsOf(3)).toEqual([1, 2, 1, 2]);
    expect(await hooks.replay(webhook.id, { from: '2026-03-11T00:00:00Z' })).toEqual({ events: 0 });
  });

  it('counts and sends only the types that the webhook asks for', async () => {
    const { receiver, webhook } = await hooks.receive({ types: ['job.closed'] });
    const { cursor } = await hooks.list();
    await tell(1, [1]);
    await hooks.tell('closed', { jobId: 1, version: 2 });
    await waitFor(() => receiver.received.length === 1, { what: 'the event' });
    await hooks.attempted(webhook.id, 1);
    expect(await hooks.replay(webhook.id, { after: cursor?.next ?? '' })).toEqual({ events: 1 });
    await waitFor(() => receiver.received.length === 2, { what: 'it again' });
  });

  it('brings a receiver up to date that was away for 16 hours, in order of each job, at once', async () => {
    const { receiver, webhook, after } = await follow();
    receiver.answers(() => 503);
    const jobs = Array.from({ length: 20 }, (_, index) => index + 1);
    for (let hour = 0; hour < 16; hour++) {
      await Promise.all(jobs.map((jobId) => tell(jobId, [hour + 3])));
      await hooks.logged(3 + 20 * (hour + 1));
      hooks.clock.advance(HOUR_MS);
    }
    await waitFor(async () => (await hooks.get(webhook.id)).pending > 0, { what: 'pending events' });
    receiver.answers(() => 204);
    receiver.received.length = 0;
    expect(await hooks.replay(webhook.id, { after })).toEqual({ events: 2 + 20 * 16 });
    await waitFor(() => jobs.every((jobId) => receiver.versionsOf(jobId).at(-1) === 18), {
      what: 'the last version of each job',
      limitMs: 20_000,
    });
    const hourly = Array.from({ length: 16 }, (_, hour) => hour + 3);
    const expected = (jobId: number) => [...(jobId === 1 ? [2] : jobId === 2 ? [1] : []), ...hourly];
    for (const jobId of jobs) {
      const versions = receiver.versionsOf(jobId);
      // Retries that were due may come before the replay, which begins with the first version.
      const [first = 0, ...others] = expected(jobId);
      expect(versions.slice(versions.lastIndexOf(first))).toEqual([first, ...others]);
    }
    await waitFor(async () => (await hooks.get(webhook.id)).pending === 0, { what: 'no pending event' });
  }, 60_000);
});

describe('replay › refusals', () => {
  const refusal = async (body: Parameters<RunningWebhooks['replay']>[1]) => {
    const { id } = await hooks.create({});
    return hooks.replay(id, body).catch((error: unknown) => error);
  };

  it.each([
    [{}, '#/after', 'required'],
    [{ to: '2026-03-10T00:00:00Z' }, '#/after', 'required'],
    [{ after: 'MS4w', from: '2026-03-10T00:00:00Z' }, '#/after', 'mismatch'],
    [{ after: 'x' }, '#/after', 'invalid_value'],
    [{ after: Buffer.from('2.0').toString('base64url') }, '#/after', 'invalid_value'],
    [{ from: 'today' }, '#/from', 'invalid_value'],
    [{ from: '2026-03-10T00:00:00Z', to: '2026-03-10T00:00:00Z' }, '#/to', 'mismatch'],
  ])('validation_failed for %j', async (body, pointer, code) => {
    expect(await refusal(body)).toMatchObject({ code: 'validation_failed', errors: [{ pointer, code }] });
  });

  it('cursor_expired for a cursor that the log no longer has', async () => {
    expect(await refusal({ after: Buffer.from('1.7').toString('base64url') })).toMatchObject({
      code: 'cursor_expired',
      snapshot: { companyId: 1 },
    });
  });
});

it('events that the log no longer had are told to the company, and later ones are sent', async () => {
  const { receiver, webhook } = await hooks.receive();
  await hooks.update(webhook.id, { state: 'disabled' });
  await tell(1, [1, 2]);
  await hooks.logged(2);
  hooks.clock.advance(9 * 24 * HOUR_MS);
  await removingExpired({
    logs: logStore(hooks.mongo),
    clock: hooks.clock,
    days: 8,
    stopping: new AbortController().signal,
  })();
  await tell(1, [3]);
  await hooks.logged(1);
  await hooks.update(webhook.id, { state: 'enabled' });
  await waitFor(() => receiver.received.length === 2, { what: 'two events' });
  expect(receiver.received.map(({ message }) => [message.type, message.data.data.webhook])).toEqual([
    ['job.updated', undefined],
    ['webhook.events_lost', { id: webhook.id }],
  ]);
});
