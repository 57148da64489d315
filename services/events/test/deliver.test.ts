import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { Webhook } from 'standardwebhooks';
import type { Received, Receiver } from './receivers.ts';
import { runWebhooks, type RunningWebhooks } from './running-webhooks.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;

let hooks: RunningWebhooks;
beforeEach(async () => {
  hooks = await runWebhooks();
});
afterEach(() => hooks.stop());

const got = (receiver: Receiver, count: number) =>
  waitFor(() => receiver.received.length >= count, {
    what: () => `${count} events; there are ${receiver.received.length}`,
  });
const tell = async (jobId: number, versions: readonly number[]) => {
  for (const version of versions) await hooks.tell('updated', { jobId, version });
};

describe('a delivery', () => {
  it('has the event as the log shows it, and a signature that the library of Standard Webhooks verifies', async () => {
    const { receiver, webhook } = await hooks.receive();
    await hooks.tell('created', { jobId: 1 });
    await got(receiver, 1);
    const [event] = await hooks.logged(1);
    const [{ headers, body, message } = undefined as never] = receiver.received;
    expect(new Webhook(webhook.secret).verify(body, headers)).toEqual(message);
    expect(message).toEqual({ type: 'job.created', timestamp: event?.at, data: event });
    expect(headers['webhook-id']).toBe('job:1:1');
    expect(headers['content-type']).toBe('application/json');
    expect(await hooks.attempted(webhook.id, 1)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        event: { id: 'job:1:1', type: 'job.created' },
        at: '2026-03-10T15:15:00.000Z',
        status: 204,
        durationMs: expect.any(Number),
        outcome: 'delivered',
        nextAttemptAt: null,
      },
    ]);
  });

  it('is signed with the former secret as well for 24 hours after a rotation', async () => {
    const { receiver, webhook } = await hooks.receive();
    const { secret } = await hooks.rotate(webhook.id);
    await tell(1, [1]);
    await got(receiver, 1);
    hooks.clock.advance(24 * HOUR_MS);
    await tell(1, [2]);
    await got(receiver, 2);
    const verifies = ({ body, headers }: Received, one: string) => {
      try {
        return new Webhook(one).verify(body, headers) !== undefined;
      } catch {
        return false;
      }
    };
    const [before, after] = receiver.received as [Received, Received];
    expect([verifies(before, secret), verifies(before, webhook.secret)]).toEqual([true, true]);
    expect([verifies(after, secret), verifies(after, webhook.secret)]).toEqual([true, false]);
  });

  it('comes only of the types that were asked for, of the own company, and from after the registration', async () => {
    await hooks.tell('closed', { jobId: 1 });
    await hooks.logged(1);
    const { receiver } = await hooks.receive({ types: ['job.closed'] });
    await hooks.tell('updated', { jobId: 1, version: 2 });
    await hooks.tell('closed', { jobId: 2, companyId: 2 });
    await hooks.tell('closed', { jobId: 3 });
    await got(receiver, 1);
    expect(receiver.received.map(({ message }) => [message.type, message.data.job?.id])).toEqual([
      ['job.closed', 3],
    ]);
  });
});

describe('a receiver that fails', () => {
  it('gets later events of the same job after it took the first one, and those of other jobs at once', async () => {
    const { receiver, webhook } = await hooks.receive();
    receiver.answers(({ jobId }) => (jobId === 1 ? 500 : 204));
    await tell(1, [1]);
    await got(receiver, 1);
    await tell(1, [2, 3]);
    await tell(2, [1, 2]);
    await waitFor(() => receiver.versionsOf(2).length === 2, { what: 'the other job' });
    expect(receiver.versionsOf(1)).toEqual([1]);
    await waitFor(async () => (await hooks.get(webhook.id)).pending === 3, { what: 'three pending events' });
    receiver.answers(() => 204);
    hooks.clock.advance(6 * SECOND_MS);
    await waitFor(() => receiver.versionsOf(1).length === 4, { what: 'the rest' });
    expect(receiver.versionsOf(1)).toEqual([1, 1, 2, 3]);
    await waitFor(async () => (await hooks.get(webhook.id)).pending === 0, { what: 'no pending event' });
  });

  it('is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, up to a tenth later', async () => {
    const { receiver, webhook } = await hooks.receive();
    receiver.answers(() => 500);
    await tell(1, [1]);
    const pauses = [];
    for (let count = 1; count <= 8; count++) {
      const [last] = await hooks.attempted(webhook.id, count);
      const pauseMs = Date.parse(last?.nextAttemptAt ?? '') - Date.parse(last?.at ?? '');
      pauses.push(pauseMs / SECOND_MS);
      hooks.clock.advance(pauseMs);
    }
    const least = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000];
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(least[index] ?? 0);
      expect(pause).toBeLessThanOrEqual((least[index] ?? 0) * 1.1);
    }
  }, 30_000);

  it('is disabled after three days of failures, says so in the log, and gets all that waited when it is enabled', async () => {
    const { receiver, webhook } = await hooks.receive();
    const { receiver: other } = await hooks.receive({ types: ['webhook.disabled'] });
    receiver.answers(() => 500);
    await tell(1, [1, 2]);
    await hooks.attempted(webhook.id, 1);
    hooks.clock.advance(72 * HOUR_MS);
    await waitFor(async () => (await hooks.get(webhook.id)).state === 'disabled', { what: 'the end' });
    expect(await hooks.get(webhook.id)).toMatchObject({
      disabledReason: 'failing',
      disabledAt: '2026-03-13T15:15:00.000Z',
      failingSince: '2026-03-10T15:15:00.000Z',
      pending: 2,
    });
    await got(other, 1);
    expect(other.received[0]?.message).toMatchObject({
      type: 'webhook.disabled',
      data: { data: { webhook: { id: webhook.id, reason: 'failing' } } },
    });
    await tell(1, [3]);
    await hooks.logged(4);
    receiver.answers(() => 204);
    const before = receiver.received.length;
    expect(await hooks.update(webhook.id, { state: 'enabled' })).toMatchObject({
      state: 'enabled',
      disabledReason: null,
      failingSince: null,
    });
    await waitFor(() => receiver.versionsOf(1).at(-1) === 3, { what: 'all versions' });
    expect(receiver.versionsOf(1).slice(before)).toEqual([1, 2, 3]);
  });

  it('gives up an event after three days that others are not kept back by, says so in the log, and goes on', async () => {
    const { receiver, webhook } = await hooks.receive();
    receiver.answers(({ version }) => (version === 1 ? 500 : 204));
    await tell(1, [1, 2]);
    await hooks.attempted(webhook.id, 1);
    hooks.clock.advance(71 * HOUR_MS);
    await hooks.attempted(webhook.id, 2);
    await tell(2, [2]);
    await waitFor(() => receiver.versionsOf(2).length === 1, { what: 'the other job' });
    hooks.clock.advance(25 * HOUR_MS);
    await waitFor(() => receiver.versionsOf(1).at(-1) === 2, { what: 'the next version' });
    expect((await hooks.get(webhook.id)).state).toBe('enabled');
    expect((await hooks.logged(4)).at(-1)).toMatchObject({
      type: 'webhook.events_lost',
      data: { webhook: { id: webhook.id } },
    });
  });

  it.each([301, 302, 307, 400, 500])('with %d has refused the event', async (status) => {
    const { receiver, webhook } = await hooks.receive();
    const { receiver: elsewhere } = await hooks.receive({ types: ['category.created'] });
    receiver.answers(() => (response) => response.writeHead(status, { Location: elsewhere.url }).end());
    await tell(1, [1]);
    expect(await hooks.attempted(webhook.id, 1)).toMatchObject([{ outcome: 'refused', status }]);
    expect(elsewhere.received).toEqual([]);
  });

  it('with 410 is disabled at once', async () => {
    const { receiver, webhook } = await hooks.receive();
    receiver.answers(() => 410);
    await tell(1, [1]);
    await tell(2, [1]);
    await waitFor(async () => (await hooks.get(webhook.id)).disabledReason === 'gone', { what: 'the end' });
    const count = receiver.received.length;
    hooks.clock.advance(HOUR_MS);
    await tell(3, [1]);
    await hooks.logged(4);
    const { receiver: next } = await hooks.receive();
    await tell(4, [1]);
    await got(next, 1);
    expect(receiver.received).toHaveLength(count);
  });

  it.each([429, 503])('with %d and Retry-After gets nothing until then', async (status) => {
    const { receiver, webhook } = await hooks.receive();
    receiver.answers(() => (response) => response.writeHead(status, { 'Retry-After': '7200' }).end());
    await tell(1, [1]);
    const [attempt] = await hooks.attempted(webhook.id, 1);
    expect(attempt?.nextAttemptAt).toBe('2026-03-10T17:15:00.000Z');
    receiver.answers(() => 204);
    hooks.clock.advance(1.9 * HOUR_MS);
    await tell(2, [1]);
    const { receiver: other } = await hooks.receive();
    await tell(3, [1]);
    await got(other, 1);
    expect(receiver.received).toHaveLength(1);
    hooks.clock.advance(0.1 * HOUR_MS);
    await got(receiver, 4);
  });

  it('that never answers holds up nobody else', async () => {
    const { receiver: dead } = await hooks.receive();
    dead.answers(() => () => undefined);
    const { receiver: good } = await hooks.receive();
    const startedAt = performance.now();
    for (let jobId = 1; jobId <= 30; jobId++) await tell(jobId, [1]);
    await got(good, 30);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    // Those of one webhook are bounded.
    expect(dead.received.length).toBeLessThanOrEqual(4);
  });
});
