import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashSecret, listKeys, resolveGrants, revokeKey } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { client, context, type Running, runAccounts } from './running-accounts.ts';

let running: Running;
let api: ReturnType<typeof client>;
let companyIds: number[];
beforeAll(async () => {
  running = await runAccounts();
  api = client(running.bus);
  companyIds = [(await api.company()).id, (await api.company()).id];
});
afterAll(() => running.stop());

describe('resolveGrants › valid keys', () => {
  it('grant the scopes of the consumer key and the companies of the user key', async () => {
    const consumer = await api.consumerKey({
      scopes: ['jobs:read', 'jobs:write'],
      readsPerMinute: 100,
      writesPerMinute: 10,
    });
    const user = await api.userKey(companyIds);
    expect(await api.resolve(consumer.secret, user.secret)).toEqual({
      principal: {
        consumerId: consumer.key.id,
        scopes: ['jobs:read', 'jobs:write'],
        userId: user.key.id,
        companyIds,
      },
      keyIds: [consumer.key.id, user.key.id],
      expiresAt: null,
      readsPerMinute: 100,
      writesPerMinute: 10,
    });
  });

  it('grant no company without a user key', async () => {
    const { key, secret } = await api.consumerKey({ scopes: ['metrics:write'] });
    expect(await api.resolve(secret)).toEqual({
      principal: { consumerId: key.id, scopes: ['metrics:write'], userId: null, companyIds: [] },
      keyIds: [key.id],
      expiresAt: null,
      readsPerMinute: null,
      writesPerMinute: null,
    });
  });

  it('expire when the first of the two does', async () => {
    const consumer = await api.consumerKey({ expiresAt: '2026-03-03T12:00:00+02:00' });
    const user = await api.userKey(companyIds, { expiresAt: '2026-03-02T00:00:00Z' });
    expect((await api.resolve(consumer.secret, user.secret)).expiresAt).toBe('2026-03-02T00:00:00.000Z');
    expect((await api.resolve(consumer.secret)).expiresAt).toBe('2026-03-03T10:00:00.000Z');
  });
});

describe('resolveGrants › unauthenticated', () => {
  const refusalOf = (consumer: string, user: string | null) =>
    api.resolve(consumer, user).then(
      () => 'granted',
      (error: { code: string; message: string; errors: unknown }) => ({
        code: error.code,
        message: error.message,
        errors: error.errors,
      }),
    );

  it('gives the same refusal for unknown, expired, revoked and swapped keys', async () => {
    const consumer = await api.consumerKey();
    const user = await api.userKey(companyIds);
    const expired = await api.userKey(companyIds, { expiresAt: '2026-03-01T12:00:00Z' });
    const revoked = await api.userKey(companyIds);
    await running.bus.request(revokeKey, { params: { id: revoked.key.id }, context: context() });
    const pairs: [string, string | null][] = [
      ['jlc_unknown', null],
      ['jlc_unknown', 'jlu_unknown'],
      ['jlc_unknown', user.secret],
      [consumer.secret, 'jlu_unknown'],
      [consumer.secret, expired.secret],
      [consumer.secret, revoked.secret],
      [user.secret, consumer.secret],
      [consumer.secret, consumer.secret],
      [user.secret, null],
      [expired.secret, revoked.secret],
    ];
    const refusals = await Promise.all(pairs.map(([first, second]) => refusalOf(first, second)));
    const message = 'Missing, malformed, unknown, expired and revoked keys get this same answer.';
    const expected = { code: 'unauthenticated', message, errors: [] };
    expect(refusals).toEqual(pairs.map(() => expected));
    expect(await refusalOf(consumer.secret, user.secret)).toBe('granted');
  });

  it.each([
    ['no hash', { consumer: 'jlc_x', user: null }],
    ['an operator', { consumer: { $ne: '' }, user: null }],
    ['a hash in upper case', { consumer: hashSecret('x').toUpperCase(), user: null }],
  ])('is not the code for %s, which breaks the contract', async (_what, body) => {
    const attempt = running.bus.request(resolveGrants, { body, context: context() });
    await expect(attempt).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/consumer' }],
    });
  });
});

describe('resolveGrants › last use of a secret', () => {
  it('is stored some time later', async () => {
    const { key, secret } = await api.consumerKey();
    const lastUsedAt = async () => {
      const { data } = await running.bus.request(listKeys, { context: context() });
      return data.find(({ id }) => id === key.id)?.secrets[0]?.lastUsedAt;
    };
    expect(await lastUsedAt()).toBeNull();
    await api.resolve(secret);
    await waitFor(async () => (await lastUsedAt()) === '2026-03-01T12:00:00.000Z', { what: 'the first use' });
    running.clock.advance(5000);
    await api.resolve(secret);
    await waitFor(async () => (await lastUsedAt()) === '2026-03-01T12:00:05.000Z', { what: 'the next use' });
  });

  it('does not change for refused keys', async () => {
    const { key, secret } = await api.userKey(companyIds);
    await expect(api.resolve('jlc_unknown', secret)).rejects.toMatchObject({ code: 'unauthenticated' });
    const other = await api.consumerKey();
    await api.resolve(other.secret);
    await waitFor(
      async () => {
        const { data } = await running.bus.request(listKeys, { context: context() });
        const used = data.find(({ id }) => id === other.key.id)?.secrets[0]?.lastUsedAt;
        expect(data.find(({ id }) => id === key.id)?.secrets[0]?.lastUsedAt).toBeNull();
        return used;
      },
      { what: 'a stored use' },
    );
  });
});
