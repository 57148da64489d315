import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getCompany } from '@joblisting/contracts';
import { client, context, type Running, runAccounts } from './running-accounts.ts';

let running: Running;
beforeAll(async () => {
  running = await runAccounts();
});
afterAll(() => running.stop());

const get = (id: unknown) =>
  running.bus.request(getCompany, { params: { id: id as number }, context: context() });

describe('getCompany', () => {
  it('reads a company', async () => {
    const company = await client(running.bus).company();
    expect((await get(company.id)).data).toEqual(company);
  });

  it('refuses an unknown id', async () => {
    await expect(get(424_242)).rejects.toMatchObject({ code: 'company_not_found' });
  });

  it('refuses a parameter that is no id', async () => {
    await expect(get('1')).rejects.toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'id' }],
    });
  });
});
