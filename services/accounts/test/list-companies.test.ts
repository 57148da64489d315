import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listCompanies } from '@joblisting/contracts';
import { client, context, type Running, runAccounts } from './running-accounts.ts';

let running: Running;
beforeAll(async () => {
  running = await runAccounts();
});
afterAll(() => running.stop());

const list = async () => (await running.bus.request(listCompanies, { context: context() })).data;

describe('listCompanies', () => {
  it('returns an empty list at first', async () => {
    expect(await list()).toEqual([]);
  });

  it('lists companies by id', async () => {
    const api = client(running.bus);
    const companies = [await api.company('Zebra'), await api.company('Aardvark')];
    expect(await list()).toEqual(companies);
  });
});
