import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCompany } from '@joblisting/contracts';
import { context, newName, type Running, runAccounts } from './running-accounts.ts';

let running: Running;
beforeAll(async () => {
  running = await runAccounts();
});
afterAll(() => running.stop());

const create = (body: unknown) => running.bus.request(createCompany, { body, context: context() });

describe('createCompany › created', () => {
  it('gives the first company id 1 and stores names in NFC with single spaces', async () => {
    const first = await create({ name: '  Cafe\u0301   Nord ' });
    expect(first).toMatchObject({ outcome: 'created', id: 1, data: { id: 1, name: 'Caf\u00e9 Nord' } });
    await expect(create({ name: 'CAF\u00c9 NORD' })).rejects.toMatchObject({ code: 'company_name_taken' });
    expect((await create({ name: newName() })).data.id).toBe(2);
  });

  it('takes a name of 256 characters', async () => {
    expect((await create({ name: 'x'.repeat(256) })).outcome).toBe('created');
  });
});

describe('createCompany › company_name_taken', () => {
  it('names the company that has the name, in any case', async () => {
    const name = newName();
    const { id } = (await create({ name })).data;
    await expect(create({ name: ` ${name.toUpperCase()}` })).rejects.toMatchObject({
      code: 'company_name_taken',
      message: `Company ${id} already has this name.`,
    });
  });

  it('refuses all but one of 40 simultaneous requests on two replicas', async () => {
    await running.addReplica();
    const name = newName();
    const all = await Promise.allSettled(Array.from({ length: 40 }, () => create({ name })));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = all.flatMap((one) => (one.status === 'rejected' ? one.reason.code : []));
    expect(new Set(codes)).toEqual(new Set(['company_name_taken']));
  });
});

describe('createCompany › validation_failed', () => {
  it.each([
    [{}],
    [{ name: '' }],
    [{ name: ' \n' }],
    [{ name: 'x'.repeat(257) }],
    [{ name: 1 }],
    [{ name: 'a\u0000' }],
  ])('for the body %j', async (body) => {
    await expect(create(body)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/name' }],
    });
  });
});
