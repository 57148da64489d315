import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addSystemCategory, createCategory } from '@joblisting/contracts';
import {
  as,
  client,
  COMPANY,
  newName,
  OTHER_COMPANY,
  type Running,
  runCategories,
} from './running-categories.ts';

let running: Running;
beforeAll(async () => {
  running = await runCategories();
  await running.addReplica();
});
afterAll(() => running.stop());

const create = (body: unknown, companyIds = [COMPANY]) =>
  running.bus.request(createCategory, { body, context: as(companyIds) });

describe('createCategory › created', () => {
  it('shows the new category, with its id and version', async () => {
    const name = newName();
    const reply = await create({ name, company: { id: COMPANY } });
    expect(reply).toMatchObject({ outcome: 'created', version: 1, id: reply.data.id, warnings: [] });
    expect(reply.data).toEqual({ id: expect.any(Number), name, company: { id: COMPANY } });
  });

  it('stores the name in NFC with white space folded', async () => {
    const unique = newName();
    const { data } = await create({ name: `\t Cafe\u0301  ${unique}\n`, company: { id: COMPANY } });
    expect(data.name).toBe(`Caf\u00e9 ${unique}`);
  });

  it('ignores read-only fields, and warns about unknown fields', async () => {
    const { data, warnings } = await create({
      id: 5,
      name: newName(),
      company: { id: COMPANY, name: 'x' },
      references: 9,
    });
    expect(data.id).toBeGreaterThanOrEqual(1000);
    expect(warnings).toMatchObject([{ code: 'unknown_field', pointer: '#/references' }]);
  });

  it('accepts 50 characters, counted as code points', async () => {
    const { data } = await create({ name: '\u{1F9D1}'.repeat(50), company: { id: COMPANY } });
    expect(data.name).toBe('\u{1F9D1}'.repeat(50));
  });

  it('lets another company use the name', async () => {
    const { name } = await client(running).create();
    const { outcome } = await create({ name, company: { id: OTHER_COMPANY } }, [OTHER_COMPANY]);
    expect(outcome).toBe('created');
  });
});

describe('createCategory › category_name_taken', () => {
  it('names the system category of that name, in any case', async () => {
    await expect(create({ name: 'eNGINEERING', company: { id: COMPANY } })).rejects.toMatchObject({
      code: 'category_name_taken',
      conflict: { resource: 'category', id: 8 },
    });
  });

  it("names the company's own of that name", async () => {
    const { id, name } = await client(running).create();
    const again = create({ name: ` ${name.toUpperCase()}`, company: { id: COMPANY } });
    await expect(again).rejects.toMatchObject({ conflict: { resource: 'category', id } });
  });

  it('for all but one of 100 requests at once', async () => {
    const name = newName();
    const all = await Promise.allSettled(
      Array.from({ length: 100 }, () => create({ name, company: { id: COMPANY } })),
    );
    const made = all.filter((one) => one.status === 'fulfilled');
    expect(made).toHaveLength(1);
    const refused = all.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
    const conflict = { resource: 'category', id: made[0]?.value.data.id };
    expect(refused.every((error) => error.code === 'category_name_taken')).toBe(true);
    expect(refused).toMatchObject(refused.map(() => ({ conflict })));
  });

  it('for a system or a custom category, when both of one name come at once', async () => {
    for (let race = 0; race < 25; race++) {
      const name = newName();
      const all = await Promise.allSettled([
        create({ name, company: { id: COMPANY } }),
        running.bus.request(addSystemCategory, { body: { name }, context: as([]) }),
        create({ name, company: { id: OTHER_COMPANY } }, [OTHER_COMPANY]),
      ]);
      const [custom, system, other] = all.map(({ status }) => status === 'fulfilled');
      expect([custom, other]).toEqual([!system, !system]);
    }
  });
});

describe('createCategory › company_forbidden', () => {
  it('when the keys do not grant the company', async () => {
    await expect(create({ name: newName(), company: { id: OTHER_COMPANY } })).rejects.toMatchObject({
      code: 'company_forbidden',
      errors: [{ pointer: '#/company/id', code: 'not_allowed' }],
    });
  });

  it('is reported only for a valid body', async () => {
    await expect(create({ name: ' ', company: { id: OTHER_COMPANY } })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});

describe('createCategory › validation_failed', () => {
  it.each([
    [{}, ['#/name', '#/company']],
    [{ name: '', company: {} }, ['#/name', '#/company/id']],
    [{ name: 'x'.repeat(51), company: { id: '1' } }, ['#/name', '#/company/id']],
    [{ name: ` ${'x'.repeat(50)}`, company: { id: COMPANY } }, ['#/name']],
    [{ name: 'a\u0000', company: { id: COMPANY } }, ['#/name']],
    [{ name: { $ne: '' }, company: { id: COMPANY } }, ['#/name']],
    [{ name: null, company: null }, ['#/name', '#/company']],
  ])('for %j', async (body, pointers) => {
    const refusal = await create(body).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'validation_failed' });
    const { errors } = refusal as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(pointers.toSorted());
  });
});
