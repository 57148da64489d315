import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BodyOf,
  createWebhook,
  listWebhookAttempts,
  listWebhooks,
  removeWebhooks,
} from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { caller } from './running-events.ts';
import { runWebhooks, type RunningWebhooks } from './running-webhooks.ts';

let hooks: RunningWebhooks;
beforeAll(async () => {
  hooks = await runWebhooks({ MAX_WEBHOOKS: '3' });
});
afterAll(() => hooks.stop());

let lastCompany = 0;
/** A company of its own for each test. */
const company = () => ({ company: { id: ++lastCompany } });
const list = async (companyId: number, context = caller()) =>
  (await hooks.bus.request(listWebhooks, { params: { 'company.id': companyId }, context })).data;
const refusal = (call: Promise<unknown>) => call.catch((error: unknown) => error);
const unknown = { code: 'webhook_not_found' };
/** Keys of another company. */
const others = caller([999]);

describe('createWebhook', () => {
  it('answers with the secret, which no other answer shows', async () => {
    const own = company();
    const created = await hooks.create({ ...own, types: ['job.closed'], description: 'Our ATS' });
    const { secret, ...shown } = created;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toEqual({
      id: expect.any(Number),
      ...own,
      url: 'https://hooks.example.com/',
      types: ['job.closed'],
      description: 'Our ATS',
      state: 'enabled',
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      pending: 0,
      createdAt: '2026-03-10T15:15:00.000Z',
    });
    expect(await hooks.get(created.id)).toEqual(shown);
    expect(await list(own.company.id)).toEqual([shown]);
  });

  it('answers the same to the same Idempotency-Key, and creates one', async () => {
    const own = company();
    const context = { ...caller(), idempotencyKey: 'once' };
    const first = await hooks.create(own, context);
    expect(await hooks.create(own, context)).toEqual(first);
    expect(await list(own.company.id)).toHaveLength(1);
  });

  it('webhook_limit for more than MAX_WEBHOOKS, also at once; a deleted one makes room', async () => {
    const own = company();
    const made = await Promise.allSettled(Array.from({ length: 6 }, () => hooks.create(own)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await refusal(hooks.create(own))).toMatchObject({ code: 'webhook_limit' });
    const [first] = await list(own.company.id);
    await hooks.remove(first?.id ?? 0);
    await hooks.create(own);
    expect(await list(own.company.id)).toHaveLength(3);
  });

  it('company_forbidden for a company that the keys do not grant', async () => {
    expect(await refusal(hooks.create(company(), others))).toMatchObject({
      code: 'company_forbidden',
      errors: [{ pointer: '#/company/id' }],
    });
  });

  it('validation_failed with everything that is wrong', async () => {
    const wrong = { url: 'https://10.0.0.1/', types: ['job.*'], description: '' };
    const body = { ...company(), ...wrong } as unknown as BodyOf<typeof createWebhook>;
    expect(await refusal(hooks.create(body))).toMatchObject({
      code: 'validation_failed',
      errors: expect.arrayContaining([
        expect.objectContaining({ pointer: '#/types/0', code: 'not_allowed' }),
        expect.objectContaining({ pointer: '#/description', code: 'too_short' }),
        expect.objectContaining({ pointer: '#/url', code: 'not_allowed' }),
      ]),
    });
  });

  it.each([
    ['no address', 'hooks.example.com', 'invalid_url'],
    ['another scheme', 'ftp://hooks.example.com/', 'invalid_url'],
    ['a user', 'https://me:secret@hooks.example.com/', 'invalid_url'],
    ['http on the internet', 'http://93.184.216.34/', 'not_allowed'],
    ['another port', 'https://93.184.216.34:8443/', 'not_allowed'],
  ])('validation_failed for a url with %s', async (_what, url, code) => {
    expect(await refusal(hooks.create({ ...company(), url }))).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/url', code }],
    });
  });
});

describe('updateWebhook', () => {
  it('changes what is sent, and nothing else', async () => {
    const { secret: _secret, ...before } = await hooks.create(company());
    expect(await hooks.update(before.id, { types: ['job.closed', 'job.deleted'] })).toEqual({
      ...before,
      types: ['job.closed', 'job.deleted'],
    });
    expect(await hooks.update(before.id, {})).toMatchObject({ types: ['job.closed', 'job.deleted'] });
  });

  it('disables on request: nothing is sent until it is enabled, and then what came meanwhile', async () => {
    const own = company();
    const { receiver, webhook } = await hooks.receive(own);
    expect(await hooks.update(webhook.id, { state: 'disabled' })).toMatchObject({
      state: 'disabled',
      disabledReason: 'requested',
      disabledAt: '2026-03-10T15:15:00.000Z',
    });
    const companyId = own.company.id;
    await hooks.tell('created', { jobId: 900, companyId });
    const { receiver: other } = await hooks.receive(own);
    await hooks.tell('updated', { jobId: 900, companyId, version: 2 });
    await waitFor(() => other.received.length > 0, { what: 'the event at another one' });
    expect(receiver.received).toEqual([]);
    await hooks.update(webhook.id, { state: 'enabled' });
    await waitFor(() => receiver.received.length === 2, { what: 'both events' });
    expect(receiver.versionsOf(900)).toEqual([1, 2]);
  });

  it('validation_failed for an address that is forbidden', async () => {
    const { id } = await hooks.create(company());
    expect(await refusal(hooks.update(id, { url: 'https://[::ffff:10.0.0.1]/' }))).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/url', code: 'not_allowed' }],
    });
  });
});

describe('testWebhook', () => {
  it('sends webhook.test at once and answers with the attempt', async () => {
    const { receiver, webhook } = await hooks.receive(company());
    const attempt = await hooks.test(webhook.id);
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 204, event: { type: 'webhook.test' } });
    expect(receiver.received[0]?.message).toMatchObject({
      type: 'webhook.test',
      data: { id: attempt.event.id, data: { webhook: { id: webhook.id } } },
    });
    expect(await hooks.attempts(webhook.id)).toEqual([attempt]);
  });

  it('sends once for an Idempotency-Key', async () => {
    const { receiver, webhook } = await hooks.receive(company());
    const context = { ...caller(), idempotencyKey: 'once' };
    const first = await hooks.test(webhook.id, context);
    expect(await hooks.test(webhook.id, context)).toEqual(first);
    expect(receiver.received).toHaveLength(1);
  });

  it('answers with a failure before the deadline of the request', async () => {
    const { receiver, webhook } = await hooks.receive(company());
    receiver.answers(() => () => undefined);
    const attempt = await hooks.test(webhook.id, caller(undefined, 1500));
    expect(attempt).toMatchObject({ outcome: 'timeout', status: null, nextAttemptAt: null });
    expect((await hooks.get(webhook.id)).failingSince).toBeNull();
  });
});

describe('listWebhookAttempts', () => {
  it('has the newest first, in pages', async () => {
    const { webhook } = await hooks.receive(company());
    const made = [];
    for (let count = 3; count > 0; count--) {
      made.unshift(await hooks.test(webhook.id));
      hooks.clock.advance(1000);
    }
    const page = (number: number) =>
      hooks.bus.request(listWebhookAttempts, {
        params: { id: webhook.id, page: number, pageSize: 2 },
        context: caller(),
      });
    const [first, second] = [await page(1), await page(2)];
    expect(first.paging).toMatchObject({ total: 3, pages: 2 });
    expect([...first.data, ...second.data]).toEqual(made);
  });
});

describe('deleteWebhook', () => {
  it('removes it with its attempts and what was pending', async () => {
    const own = company();
    const { receiver, webhook } = await hooks.receive(own);
    receiver.answers(() => 500);
    await hooks.tell('created', { jobId: 901, companyId: own.company.id });
    await waitFor(async () => (await hooks.get(webhook.id)).pending === 1, { what: 'a pending event' });
    await hooks.remove(webhook.id);
    expect(await refusal(hooks.get(webhook.id))).toMatchObject(unknown);
    for (const name of ['attempts', 'deliveries'])
      expect(await hooks.mongo.collection(name).countDocuments({ webhookId: webhook.id })).toBe(0);
  });
});

describe('removeWebhooks', () => {
  it('removes those of one company only', async () => {
    const [own, other] = [company(), company()];
    await hooks.create(own);
    await hooks.create(own);
    const kept = await hooks.create(other);
    const remove = async () =>
      (await hooks.bus.request(removeWebhooks, { body: { companyId: own.company.id }, context: caller() }))
        .data;
    expect(await remove()).toEqual({ removed: 2 });
    expect([await list(own.company.id), await list(other.company.id)]).toMatchObject([[], [{ id: kept.id }]]);
    expect(await remove()).toEqual({ removed: 0 });
  });
});

describe("a webhook of a company that the keys do not grant is as one that doesn't exist", () => {
  it.each([
    ['get', (id: number) => hooks.get(id, others)],
    ['update', (id: number) => hooks.update(id, { state: 'disabled' }, others)],
    ['update with a wrong body', (id: number) => hooks.update(id, { url: 'x' }, others)],
    ['delete', (id: number) => hooks.remove(id, others)],
    ['test', (id: number) => hooks.test(id, others)],
    ['replay', (id: number) => hooks.replay(id, { from: '2026-03-10T00:00:00Z' }, others)],
    ['rotate', (id: number) => hooks.rotate(id, others)],
    ['attempts', (id: number) => hooks.bus.request(listWebhookAttempts, { params: { id }, context: others })],
  ])('%s', async (_what, call) => {
    const own = company();
    const { receiver, webhook } = await hooks.receive(own);
    const error = await refusal(call(webhook.id));
    expect(error).toMatchObject(unknown);
    expect(error).toEqual(await refusal(call(123_456)));
    const { secret: _secret, ...shown } = webhook;
    expect(await hooks.get(webhook.id)).toEqual(shown);
    expect(receiver.received).toEqual([]);
  });

  it('list', async () => {
    const own = company();
    expect(await refusal(list(own.company.id, others))).toMatchObject({ code: 'company_forbidden' });
  });
});
