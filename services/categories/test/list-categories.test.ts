import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstSystemCategories, listCategories, type ParamsOf } from '@joblisting/contracts';
import {
  client,
  as,
  COMPANY,
  newName,
  OTHER_COMPANY,
  type Running,
  runCategories,
} from './running-categories.ts';

let running: Running;
const custom: { id: number; name: string }[] = [];
beforeAll(async () => {
  running = await runCategories();
  const api = client(running);
  custom.push(await api.create(), await api.create());
  await api.create(newName(), OTHER_COMPANY);
});
afterAll(() => running.stop());

const list = async (params: ParamsOf<typeof listCategories>) =>
  (await running.bus.request(listCategories, { params, context: as([]) })).data;

const system = firstSystemCategories.map((name, index) => ({ id: index + 1, name, company: null }));

describe('listCategories › without a company', () => {
  it('lists the system categories by id', async () => {
    expect(await list({})).toEqual(system);
  });

  it('ignores active', async () => {
    expect(await list({ active: 'true' })).toEqual(system);
  });
});

describe('listCategories › with a company', () => {
  it('adds its custom categories, and no others', async () => {
    const expected = custom.map(({ id, name }) => ({ id, name, company: { id: COMPANY } }));
    expect(await list({ 'company.id': COMPANY })).toEqual([...system, ...expected]);
  });

  it('lists the system categories for an unknown company', async () => {
    expect(await list({ 'company.id': 999_999 })).toEqual(system);
  });
});

describe('listCategories › with active', () => {
  it.each(['', 'true', 'false'])(
    'of %j lists what jobs calls active, system categories too',
    async (active) => {
      const own = custom[1]?.id ?? 0;
      running.jobs.active.set(COMPANY, [own, 3, 424_242]);
      const found = await list({ 'company.id': COMPANY, active });
      expect(found.map(({ id }) => id)).toEqual([3, own]);
    },
  );

  it('lists nothing where no job is published', async () => {
    running.jobs.active.set(COMPANY, []);
    expect(await list({ 'company.id': COMPANY, active: '' })).toEqual([]);
  });

  it('is unavailable while jobs is unavailable; lists without active are not', async () => {
    await running.jobs.leave();
    await expect(list({ 'company.id': COMPANY, active: '' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await list({})).toEqual(system);
    await running.jobs.join();
  });
});
