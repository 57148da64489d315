import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listCategories, removeCustomCategories } from '@joblisting/contracts';
import { as, client, COMPANY, OTHER_COMPANY, type Running, runCategories } from './running-categories.ts';

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runCategories();
  api = client(running);
});
afterAll(() => running.stop());

const remove = async (companyId: number) =>
  (await running.bus.request(removeCustomCategories, { body: { companyId }, context: as([]) })).data;
const customs = async (companyId: number) => {
  const params = { 'company.id': companyId };
  const { data } = await running.bus.request(listCategories, { params, context: as([]) });
  return data.filter(({ company }) => company !== null).map(({ id }) => id);
};

describe('removeCustomCategories', () => {
  it('removes those of one company only', async () => {
    await api.create();
    await api.create();
    const other = await api.create(undefined, OTHER_COMPANY);
    expect(await remove(COMPANY)).toEqual({ removed: 2 });
    expect(await customs(COMPANY)).toEqual([]);
    expect(await customs(OTHER_COMPANY)).toEqual([other.id]);
    expect(await remove(COMPANY)).toEqual({ removed: 0 });
  });

  it('refuses with category_assigned while a job has one', async () => {
    const { id } = await api.create();
    await api.acquire(1, [{ id }]);
    running.jobs.held.set(1, { version: 1, categoryIds: [id] });
    await expect(remove(COMPANY)).rejects.toMatchObject({ code: 'category_assigned' });
    expect(await customs(COMPANY)).toEqual([id]);
  });
});
