import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCategory, deleteCategory, listCategories } from '@joblisting/contracts';
import { customCountModel } from '../src/models/custom-count.ts';
import { newDocument } from '../src/store/category-store.ts';
import { as, client, collections, newName, type Running, runCategories } from './running-categories.ts';

const LIMIT = 20;
let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runCategories({ MAX_CUSTOM_CATEGORIES: `${LIMIT}` });
  api = client(running);
});
afterAll(() => running.stop());

const create = (companyId: number, name = newName()) =>
  running.bus.request(createCategory, {
    body: { name, company: { id: companyId } },
    context: as([companyId]),
  });
const createMany = (companyId: number, count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await create(companyId)).data));
const remove = (id: number, companyId: number) =>
  running.bus.request(deleteCategory, { params: { id }, context: as([companyId]) });
const stored = (companyId: number) => collections(running.mongo).categories.countDocuments({ companyId });
const counted = async (companyId: number) =>
  (await customCountModel(running.mongo).findOne({ _id: companyId }).lean())?.customs;
const newNames = (count: number) => Array.from({ length: count }, () => ({ name: newName() }));
const codesOf = (all: readonly PromiseSettledResult<unknown>[]) => [
  ...new Set(all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))),
];

describe('ids of categories', () => {
  it('are not used up by refused requests', async () => {
    const [first] = await createMany(100, LIMIT);
    const last = Math.max(...(await collections(running.mongo).categories.distinct('_id')));
    await Promise.allSettled([
      ...Array.from({ length: 30 }, () => create(100)),
      ...Array.from({ length: 30 }, () => create(100, first?.name)),
      ...Array.from({ length: 30 }, (_, job) => api.acquire(100 + job, newNames(5), { companyId: 100 })),
    ]);
    expect((await create(101)).data.id).toBe(last + 1);
  });
});

describe('category_limit', () => {
  beforeAll(async () => void (await running.addReplica()));

  it('createCategory › for all requests at once beyond the limit', async () => {
    const all = await Promise.allSettled(Array.from({ length: 2 * LIMIT }, () => create(200)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMIT);
    expect(codesOf(all)).toEqual(['category_limit']);
    expect(await stored(200)).toBe(LIMIT);
  });

  it('createCategory › says how many a company may have', async () => {
    await createMany(201, LIMIT);
    await expect(create(201)).rejects.toMatchObject({
      code: 'category_limit',
      message: 'Company 201 may have at most 20 custom categories.',
    });
    await expect(create(201, 'Legal')).rejects.toMatchObject({ code: 'category_name_taken' });
  });

  it('acquireCategories › for new names beyond the limit, and changes nothing', async () => {
    const acquire = (jobId: number, count: number) => api.acquire(jobId, newNames(count), { companyId: 202 });
    const all = await Promise.allSettled(Array.from({ length: LIMIT }, (_, job) => acquire(2000 + job, 3)));
    expect(codesOf(all)).toEqual(['category_limit']);
    expect(await stored(202)).toBe(18);
    expect(await acquire(2100, 2)).toHaveLength(2);
    await expect(acquire(2101, 1)).rejects.toMatchObject({ code: 'category_limit' });
  });

  it('acquireCategories › not for names that exist', async () => {
    const [known] = await createMany(203, LIMIT);
    const assigned = await api.acquire(2200, [{ name: known?.name ?? '' }, { id: 1 }], { companyId: 203 });
    expect(assigned.map(({ id }) => id)).toEqual([known?.id, 1]);
  });

  it('is free again once a category is deleted', async () => {
    const [first] = await createMany(204, LIMIT);
    await remove(first?.id ?? 0, 204);
    await create(204);
    await expect(create(204)).rejects.toMatchObject({ code: 'category_limit' });
  });

  it('counts exactly while categories are created, acquired and deleted at once', async () => {
    const made = await createMany(205, 15);
    const all = await Promise.allSettled([
      ...made.map(({ id }) => remove(id, 205)),
      ...Array.from({ length: LIMIT }, () => create(205)),
      ...Array.from({ length: 5 }, (_, job) => api.acquire(2300 + job, newNames(2), { companyId: 205 })),
    ]);
    expect(codesOf(all).filter((code) => code !== 'category_limit')).toEqual([]);
    expect(await counted(205)).toBe(await stored(205));
    expect(await stored(205)).toBeLessThanOrEqual(LIMIT);
  });

  it('includes categories that an earlier release created', async () => {
    const { categories } = collections(running.mongo);
    const old = Array.from({ length: LIMIT }, (_, index) => newDocument(500_000 + index, newName(), 206));
    await categories.insertMany(old, { lean: true });
    await running.addReplica();
    expect(await counted(206)).toBe(LIMIT);
    await expect(create(206)).rejects.toMatchObject({ code: 'category_limit' });
    expect(await counted(206)).toBe(LIMIT);
  });

  it('corrects the counts after an earlier release has changed categories', async () => {
    const { categories } = collections(running.mongo);
    const [first] = await createMany(207, 3);
    const only = (await create(208)).data;
    await categories.deleteMany({ _id: { $in: [first?.id ?? 0, only.id] } });
    await running.addReplica();
    expect(await Promise.all([counted(207), counted(208)])).toEqual([2, 0]);
    await createMany(207, LIMIT - 2);
    await expect(create(207)).rejects.toMatchObject({ code: 'category_limit' });
  });
});

describe('listCategories › as many long names as the limit can be set to', () => {
  it('fits into one message of the bus', async () => {
    const { categories } = collections(running.mongo);
    // In JSON, no character is longer than a control character.
    const longest = (index: number) => '\u0001'.repeat(45) + String(index).padStart(5, '0');
    const many = Array.from({ length: 20_000 }, (_, index) =>
      newDocument(2_000_000_000 + index, longest(index), 2_000_000_000),
    );
    await categories.insertMany(many, { lean: true });
    const params = { 'company.id': 2_000_000_000 };
    const { data } = await running.bus.request(listCategories, { params, context: as([]) });
    expect(data.length).toBeGreaterThan(20_000);
  });
});
