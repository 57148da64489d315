import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyRevoked, revokeKey, rotateKey } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { client, context, type Running, runAccounts } from './running-accounts.ts';

const DAY_MS = 24 * 3600_000;

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runAccounts();
  api = client(running.bus);
});
afterAll(() => running.stop());

const rotate = (id: number, body: unknown = {}) =>
  running.bus.request(rotateKey, { params: { id }, body, context: context() });
const outcomeOf = (secret: string) =>
  api.resolve(secret).then(
    () => 'granted',
    (error: { code: string }) => error.code,
  );

describe('rotateKey › rotated', () => {
  it('gives the key two valid secrets for a day, then the new one alone', async () => {
    const first = await api.consumerKey();
    const { outcome, data } = await rotate(first.key.id);
    expect(outcome).toBe('created');
    expect(data.key.id).toBe(first.key.id);
    expect(data.key.secrets).toMatchObject([
      { lastFour: first.secret.slice(-4), expiresAt: new Date(running.clock.now() + DAY_MS).toISOString() },
      { lastFour: data.secret.slice(-4), expiresAt: null },
    ]);
    expect(await api.resolve(first.secret)).toMatchObject({ keyIds: [first.key.id] });
    expect(await api.resolve(data.secret)).toMatchObject({ keyIds: [first.key.id], expiresAt: null });
    running.clock.advance(DAY_MS);
    expect(await outcomeOf(first.secret)).toBe('unauthenticated');
    expect(await outcomeOf(data.secret)).toBe('granted');
  });

  it('takes a grace; with none the old secret ends and gateways are told', async () => {
    const revoked: number[] = [];
    running.bus.listen(keyRevoked, ({ keyId }) => revoked.push(keyId));
    await running.bus.flush();
    const { key, secret } = await api.consumerKey();
    const second = await rotate(key.id, { graceSeconds: 0 });
    expect(await outcomeOf(secret)).toBe('unauthenticated');
    expect(await outcomeOf(second.data.secret)).toBe('granted');
    await waitFor(() => revoked.includes(key.id), { what: 'the event' });
    await rotate(key.id, { graceSeconds: 60 });
    running.clock.advance(59_000);
    expect(await outcomeOf(second.data.secret)).toBe('granted');
    running.clock.advance(1000);
    expect(await outcomeOf(second.data.secret)).toBe('unauthenticated');
  });

  it('gives no secret that outlives the key', async () => {
    const expiresAt = new Date(running.clock.now() + 60_000).toISOString();
    const { key, secret } = await api.consumerKey({ expiresAt });
    const { data } = await rotate(key.id, { graceSeconds: 3600 });
    expect(data.key.secrets.map((one) => one.expiresAt)).toEqual([expiresAt, expiresAt]);
    running.clock.advance(60_000);
    expect([await outcomeOf(secret), await outcomeOf(data.secret)]).toEqual([
      'unauthenticated',
      'unauthenticated',
    ]);
  });
});

describe('rotateKey › rotation_in_progress', () => {
  it('while two secrets are valid', async () => {
    const { key } = await api.consumerKey();
    await rotate(key.id);
    await expect(rotate(key.id)).rejects.toMatchObject({ code: 'rotation_in_progress' });
    running.clock.advance(DAY_MS);
    expect((await rotate(key.id)).data.key.secrets).toHaveLength(2);
  });

  it('for all but one of many simultaneous requests', async () => {
    const { key } = await api.consumerKey();
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => rotate(key.id)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = all.flatMap((one) => (one.status === 'rejected' ? one.reason.code : []));
    expect(new Set(codes)).toEqual(new Set(['rotation_in_progress']));
  });
});

describe('rotateKey › key_not_found', () => {
  it('for an unknown, an expired and a revoked key', async () => {
    const revoked = await api.consumerKey();
    await running.bus.request(revokeKey, { params: { id: revoked.key.id }, context: context() });
    const expired = await api.consumerKey({ expiresAt: new Date(running.clock.now()).toISOString() });
    for (const id of [424_242, expired.key.id, revoked.key.id]) {
      await expect(rotate(id)).rejects.toMatchObject({ code: 'key_not_found' });
    }
  });
});

describe('rotateKey › validation_failed', () => {
  it.each([-1, 90 * 24 * 3600 + 1, '60'])('for a grace of %j', async (graceSeconds) => {
    const { key } = await api.consumerKey();
    await expect(rotate(key.id, { graceSeconds })).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/graceSeconds' }],
    });
  });
});
