import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addSystemCategory,
  deleteCategory,
  firstSystemCategories,
  listCategories,
  updateCategory,
} from '@joblisting/contracts';
import { as, client, newName, OTHER_COMPANY, type Running, runCategories } from './running-categories.ts';

let running: Running;
beforeAll(async () => {
  running = await runCategories();
  await running.addReplica();
});
afterAll(() => running.stop());

const add = (body: unknown) => running.bus.request(addSystemCategory, { body, context: as([]) });
const count = firstSystemCategories.length;

describe('addSystemCategory › created', () => {
  it('takes the next free id while others add categories too', async () => {
    const names = Array.from({ length: 8 }, newName);
    const added = await Promise.all(names.map((name) => add({ name })));
    expect(added.map(({ data }) => data.id).toSorted((a, b) => a - b)).toEqual(
      names.map((_name, index) => count + 1 + index),
    );
    expect(added[0]).toMatchObject({
      outcome: 'created',
      version: 1,
      data: { name: names[0], company: null },
    });
  });

  it('takes the id that is given', async () => {
    const name = newName();
    expect((await add({ id: 500, name })).data).toEqual({ id: 500, name, company: null });
    expect((await add({ name: newName() })).data.id).toBe(501);
    const { data } = await running.bus.request(listCategories, { params: {}, context: as([]) });
    expect(data.at(-2)).toEqual({ id: 500, name, company: null });
  });
});

describe('addSystemCategory › category_name_taken', () => {
  it("names the system category, or any company's, that has the name", async () => {
    await expect(add({ name: 'LEGAL' })).rejects.toMatchObject({
      code: 'category_name_taken',
      conflict: { resource: 'category', id: 14 },
    });
    const { id, name } = await client(running).create();
    await expect(add({ name })).rejects.toMatchObject({ conflict: { resource: 'category', id } });
  });
});

describe('addSystemCategory › a name that a company no longer uses', () => {
  it('is free once the custom category is deleted', async () => {
    const { id, name } = await client(running).create();
    await running.bus.request(deleteCategory, { params: { id }, context: as() });
    expect((await add({ name })).data).toMatchObject({ name, company: null });
  });

  it('is free once the custom category is renamed', async () => {
    const { id, name } = await client(running).create();
    const body = { name: newName() };
    await running.bus.request(updateCategory, { params: { id }, body, context: as() });
    expect((await add({ name })).data).toMatchObject({ name, company: null });
  });

  it('is taken while one of two companies has it', async () => {
    const api = client(running);
    const { id, name } = await api.create();
    const other = await api.create(name, OTHER_COMPANY);
    await running.bus.request(deleteCategory, { params: { id }, context: as() });
    await expect(add({ name })).rejects.toMatchObject({ conflict: { resource: 'category', id: other.id } });
  });
});

describe('addSystemCategory › validation_failed', () => {
  it.each([
    ['an id in use', { id: 8, name: 'Unheard of' }],
    ['an id of the range for custom categories', { id: 1000, name: 'Unheard of' }],
    ['an id below 1', { id: 0, name: 'Unheard of' }],
  ])('for %s', async (_what, body) => {
    await expect(add(body)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/id' }],
    });
  });
});

describe('the first system categories', () => {
  it('exist once, with ids from 1, after replicas started at once and again', async () => {
    await Promise.all([running.addReplica(), running.addReplica()]);
    const { data } = await running.bus.request(listCategories, { params: {}, context: as([]) });
    expect(data.slice(0, count).map(({ id, name }) => [id, name])).toEqual(
      firstSystemCategories.map((name, index) => [index + 1, name]),
    );
  });
});
