import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getCategory } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { client, COMPANY, newName, type Running, runCategories } from './running-categories.ts';

let running: Running;
beforeAll(async () => {
  running = await runCategories();
});
afterAll(() => running.stop());

const get = (id: unknown) =>
  running.bus.request(getCategory, { params: { id: id as number }, context: ownCall(5000) });

describe('getCategory', () => {
  it('shows a system category to anyone', async () => {
    expect(await get(8)).toMatchObject({
      outcome: 'ok',
      version: 1,
      data: { id: 8, name: 'Engineering', company: null },
    });
  });

  it('shows a custom category to anyone', async () => {
    const name = newName();
    const { id } = await client(running).create(name);
    expect((await get(id)).data).toEqual({ id, name, company: { id: COMPANY } });
  });

  it.each([0, -1, 999, 2_147_483_647])('does not find %d', async (id) => {
    await expect(get(id)).rejects.toMatchObject({ code: 'category_not_found' });
  });

  it.each(['1', 1.5, 2_147_483_648, { $gt: 0 }, null])('refuses %j as an id', async (id) => {
    await expect(get(id)).rejects.toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'id' }],
    });
  });
});
