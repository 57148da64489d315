import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BodyOf, categoriesChanged, previewCategories } from '@joblisting/contracts';
import { customCountModel } from '../src/models/custom-count.ts';
import {
  as,
  client,
  collections,
  COMPANY,
  newName,
  OTHER_COMPANY,
  type Running,
  runCategories,
} from './running-categories.ts';

const LIMIT = 3;
let running: Running;
let api: ReturnType<typeof client>;
let changes = 0;
beforeAll(async () => {
  running = await runCategories({ MAX_CUSTOM_CATEGORIES: `${LIMIT}` });
  api = client(running);
  running.bus.listen(categoriesChanged, () => void (changes += 1));
});
afterAll(() => running.stop());

type Named = BodyOf<typeof previewCategories>['categories'];

async function stored() {
  const { categories, names, references } = collections(running.mongo);
  const models = [categories, names, references, customCountModel(running.mongo)];
  return Promise.all(models.map((model) => model.collection.find().toArray()));
}

/** Fails if the preview stores anything, or says that a category changed. */
async function preview(categories: Named, companyId = COMPANY) {
  const before = await stored();
  const changesBefore = changes;
  try {
    const body = { companyId, categories };
    return (await running.bus.request(previewCategories, { body, context: as([]) })).data.categories;
  } finally {
    expect(await stored()).toEqual(before);
    expect(changes).toBe(changesBefore);
  }
}

describe('previewCategories', () => {
  it('resolves what an acquisition would, new names to ids below 1', async () => {
    const { id, name } = await api.create();
    const [first, second] = [newName(), newName()];
    const named = [
      { id },
      { name: name.toUpperCase() },
      { name: ` ${first} ` },
      { name: second },
      { name: first },
      { id: 5 },
    ];
    expect(await preview(named.slice(0, 5))).toEqual([
      { id, name, version: 1, created: false },
      { id, name, version: 1, created: false },
      { id: 0, name: first, version: 1, created: true },
      { id: -1, name: second, version: 1, created: true },
      { id: 0, name: first, version: 1, created: false },
    ]);
    expect(await preview([{ id: 5 }])).toMatchObject([{ id: 5, name: 'Construction', created: false }]);
  });

  it('validation_failed for each unknown or foreign id', async () => {
    const foreign = await api.create(newName(), OTHER_COMPANY);
    await expect(preview([{ id: 1 }, { id: 999_999 }, { id: foreign.id }])).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/categories/1/id' }, { pointer: '#/categories/2/id' }],
    });
  });

  it('category_limit exactly where an acquisition would meet it', async () => {
    for (let n = 0; n < LIMIT - 1; n++) await api.create(newName(), 50);
    const [last, more] = [newName(), newName()];
    await expect(preview([{ name: last }, { name: more }], 50)).rejects.toMatchObject({
      code: 'category_limit',
    });
    expect(await preview([{ name: last }], 50)).toHaveLength(1);
    await api.acquire(5000, [{ name: last }], { companyId: 50 });
    expect(await preview([{ name: last }], 50)).toMatchObject([{ created: false }]);
    await expect(preview([{ name: more }], 50)).rejects.toMatchObject({ code: 'category_limit' });
  });
});
