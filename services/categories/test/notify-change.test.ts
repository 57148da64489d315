import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  addSystemCategory,
  categoriesChanged,
  deleteCategory,
  getCategory,
  updateCategory,
} from '@joblisting/contracts';
import { as, client, newName, type Running, runCategories } from './running-categories.ts';

let running: Running;
let api: ReturnType<typeof client>;
let id: number;
let changes = 0;
beforeAll(async () => {
  running = await runCategories();
  api = client(running);
  running.bus.listen(categoriesChanged, () => changes++);
  await running.bus.flush();
});
afterAll(() => running.stop());
beforeEach(async () => {
  ({ id } = await api.create());
  changes = 0;
});

const ask = (operation: typeof updateCategory | typeof deleteCategory, body?: object) =>
  running.bus.request(operation, { params: { id }, body, context: as() });

it.each([
  ['a new category', () => api.create()],
  ['a rename', () => ask(updateCategory, { name: newName() })],
  ['a deletion', () => ask(deleteCategory)],
  ['a category made with a job', () => api.acquire(1, [{ name: newName() }])],
  [
    'a new system category',
    () => running.bus.request(addSystemCategory, { body: { name: newName() }, context: as([]) }),
  ],
  ['a request that failed', () => ask(updateCategory, { name: 'Education' }).catch(() => undefined)],
])('categoriesChanged › %s is announced before it is answered', async (_what, change) => {
  await change();
  expect(changes).toBe(1);
});

it.each([
  ['reading', () => running.bus.request(getCategory, { params: { id }, context: as([]) })],
  ['giving a category to a job', () => api.acquire(2, [{ id }])],
])('categoriesChanged › %s announces nothing', async (_what, use) => {
  await use();
  await running.bus.flush();
  expect(changes).toBe(0);
});
