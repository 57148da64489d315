import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listKeys, revokeKey } from '@joblisting/contracts';
import { client, context, type Running, runAccounts } from './running-accounts.ts';

let running: Running;
beforeAll(async () => {
  running = await runAccounts();
});
afterAll(() => running.stop());

const list = async () => (await running.bus.request(listKeys, { context: context() })).data;

describe('listKeys', () => {
  it('lists keys of both kinds by id, revoked ones too, without secrets or hashes', async () => {
    expect(await list()).toEqual([]);
    const api = client(running.bus);
    const consumer = await api.consumerKey();
    const user = await api.userKey([(await api.company()).id]);
    const { data: revoked } = await running.bus.request(revokeKey, {
      params: { id: user.key.id },
      context: context(),
    });
    const keys = await list();
    expect(keys).toEqual([consumer.key, revoked]);
    expect(JSON.stringify(keys)).not.toMatch(/hash|[0-9a-f]{64}|jl[cu]_/);
  });
});
