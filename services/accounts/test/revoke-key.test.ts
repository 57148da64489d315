import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyRevoked, revokeKey, rotateKey } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { client, context, type Running, runAccounts } from './running-accounts.ts';

let running: Running;
let api: ReturnType<typeof client>;
const revoked: number[] = [];
beforeAll(async () => {
  running = await runAccounts();
  api = client(running.bus);
  running.bus.listen(keyRevoked, ({ keyId }) => revoked.push(keyId));
  await running.bus.flush();
});
afterAll(() => running.stop());

const revoke = (id: number) => running.bus.request(revokeKey, { params: { id }, context: context() });

describe('revokeKey › revoked', () => {
  it('ends every secret of the key and tells the gateways', async () => {
    const { key, secret } = await api.consumerKey();
    const rotation = await running.bus.request(rotateKey, {
      params: { id: key.id },
      body: {},
      context: context(),
    });
    const { data } = await revoke(key.id);
    expect(data).toMatchObject({ id: key.id, revokedAt: '2026-03-01T12:00:00.000Z' });
    for (const ended of [secret, rotation.data.secret]) {
      await expect(api.resolve(ended)).rejects.toMatchObject({ code: 'unauthenticated' });
    }
    await waitFor(() => revoked.includes(key.id), { what: 'the event' });
  });

  it('keeps the time of the first revocation', async () => {
    const { key } = await api.consumerKey();
    const first = await revoke(key.id);
    running.clock.advance(60_000);
    const second = await revoke(key.id);
    expect(second.data).toEqual(first.data);
    await waitFor(() => revoked.filter((id) => id === key.id).length === 2, { what: 'both events' });
  });
});

describe('revokeKey › key_not_found', () => {
  it('for an unknown key', async () => {
    await expect(revoke(424_242)).rejects.toMatchObject({ code: 'key_not_found' });
  });
});
