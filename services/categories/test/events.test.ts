import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  addSystemCategory,
  categoriesStream,
  type CategoryChanged,
  deleteCategory,
  updateCategory,
} from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { as, client, COMPANY, newName, type Running, runCategories } from './running-categories.ts';

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runCategories();
  api = client(running);
});
afterAll(() => running.stop());

/** Waits for so many events of the category, in the order of the stream: kind, message id and payload. */
async function eventsOf(id: number, count: number) {
  const read = async () => {
    const { first, last } = await running.bus.streamState(categoriesStream);
    const all = await running.bus.readStream(categoriesStream, first, last);
    return all.filter(({ payload }) => (payload as CategoryChanged).categoryId === id);
  };
  const found = await waitFor(async () => ((await read()).length >= count ? read() : undefined), {
    what: `${count} events of category ${id}`,
  });
  return found.map(({ subject, messageId, payload }) => [subject.split('.').at(-1), messageId, payload]);
}

it('events › tell that a custom category was created, renamed and deleted', async () => {
  const [name, next] = [newName(), newName()];
  const { id } = await api.create(name);
  const call = (operation: typeof updateCategory | typeof deleteCategory, body?: object) =>
    running.bus.request(operation, { params: { id }, body, context: as() });
  await call(updateCategory, { name: next });
  await call(updateCategory, { name: next });
  await call(deleteCategory);
  const common = { categoryId: id, companyId: COMPANY, at: '2026-03-01T12:00:00.000Z' };
  expect(await eventsOf(id, 3)).toEqual([
    ['created', `category:${id}:1`, { ...common, version: 1, name }],
    ['renamed', `category:${id}:2`, { ...common, version: 2, name: next }],
    ['deleted', `category:${id}:3`, { ...common, version: 3, name: next }],
  ]);
});

it('events › tell of a category that a job created by its name, and of no reference to it', async () => {
  const [made] = await api.acquire(1, [{ name: newName() }]);
  const id = made?.id ?? 0;
  await api.acquire(2, [{ id }]);
  const { id: last } = await api.create();
  await eventsOf(last, 1);
  expect((await eventsOf(id, 1)).map(([kind]) => kind)).toEqual(['created']);
});

it('events › tell nothing of system categories', async () => {
  const body = { name: newName() };
  const { data } = await running.bus.request(addSystemCategory, { body, context: as([]) });
  const { id: last } = await api.create();
  await eventsOf(last, 1);
  expect(await eventsOf(data.id, 0)).toEqual([]);
});
