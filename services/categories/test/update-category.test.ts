import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCategory, overloaded, updateCategory } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { acceptWrites, refuseWrites } from './faults.ts';
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
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runCategories();
  api = client(running);
});
afterAll(() => running.stop());
beforeEach(() => {
  running.jobs.fault = undefined;
  running.jobs.before = undefined;
  running.jobs.renames.length = 0;
});

const update = (id: number, body: unknown, { companies = [COMPANY], limitMs = 10_000 } = {}) =>
  running.bus.request(updateCategory, { params: { id }, body, context: as(companies, limitMs) });

let lastJob = 0;
/** A category that a job has. */
async function assigned() {
  const category = await api.create();
  await api.acquire(++lastJob, [{ id: category.id }]);
  return category;
}
const renamesOf = (id: number) => running.jobs.renames.filter(({ categoryId }) => categoryId === id);

describe('updateCategory › renamed', () => {
  it('once jobs has the new name', async () => {
    const { id } = await assigned();
    const name = newName();
    const reply = await update(id, { name: ` ${name} ` });
    expect(reply).toMatchObject({ outcome: 'ok', version: 2, data: { id, name, company: { id: COMPANY } } });
    expect(renamesOf(id)).toEqual([{ categoryId: id, name, version: 2 }]);
    expect(await api.get(id)).toEqual(reply.data);
  });

  it('does not ask jobs where no job has the category', async () => {
    const { id } = await api.create();
    await running.jobs.leave();
    expect((await update(id, { name: newName() })).version).toBe(2);
    await running.jobs.join();
    expect(renamesOf(id)).toEqual([]);
  });

  it('may change the case only', async () => {
    const { id, name } = await api.create();
    expect((await update(id, { name: name.toUpperCase() })).data.name).toBe(name.toUpperCase());
  });

  it('frees the old name', async () => {
    const { id, name } = await api.create();
    await update(id, { name: newName() });
    expect((await api.create(name)).name).toBe(name);
  });

  it('ignores read-only fields', async () => {
    const category = await api.create();
    const name = newName();
    const { data, warnings } = await update(category.id, { ...category, id: 1, company: null, name });
    expect(data).toEqual({ ...category, name });
    expect(warnings).toEqual([]);
  });
});

describe('updateCategory › a pushed rename that cannot be marked as pushed', () => {
  it('is answered as renamed, and pushed once more', async () => {
    const { id } = await assigned();
    const name = newName();
    running.jobs.before = async () => {
      running.jobs.before = undefined;
      await refuseWrites(running.mongo);
    };
    try {
      expect(await update(id, { name })).toMatchObject({ version: 2, data: { id, name } });
    } finally {
      await acceptWrites(running.mongo);
    }
    running.clock.advance(10_000);
    await waitFor(() => renamesOf(id).length === 2, { what: 'the next push' });
  });
});

describe('updateCategory › unchanged', () => {
  it.each([
    ['without a name', () => ({})],
    ['with the name that it has', (name: string) => ({ name: `  ${name}` })],
  ])('%s, at the same version', async (_how, body) => {
    const category = await assigned();
    expect(await update(category.id, body(category.name))).toMatchObject({
      outcome: 'ok',
      version: 1,
      data: category,
    });
    expect(renamesOf(category.id)).toEqual([]);
  });
});

describe('updateCategory › category_not_found', () => {
  it("for an unknown category and for another company's", async () => {
    const foreign = await api.create(newName(), OTHER_COMPANY);
    for (const id of [foreign.id, 2_000_000_000]) {
      await expect(update(id, { name: newName() })).rejects.toMatchObject({ code: 'category_not_found' });
      await expect(update(id, {})).rejects.toMatchObject({ code: 'category_not_found' });
    }
  });
});

describe('updateCategory › system_category', () => {
  it('for a system category', async () => {
    await expect(update(8, { name: newName() })).rejects.toMatchObject({ code: 'system_category' });
  });
});

describe('updateCategory › category_name_taken', () => {
  it("names the company's category, or the system one, that has the name", async () => {
    const [one, other] = [await api.create(), await api.create()];
    const onto = (name: string) => update(one.id, { name });
    await expect(onto(other.name.toUpperCase())).rejects.toMatchObject({
      code: 'category_name_taken',
      conflict: { resource: 'category', id: other.id },
    });
    await expect(onto('legal')).rejects.toMatchObject({ conflict: { resource: 'category', id: 14 } });
    expect(await api.get(one.id)).toEqual(one);
  });

  it('for all but one of many requests for one name', async () => {
    const categories = await Promise.all(Array.from({ length: 20 }, () => api.create()));
    const name = newName();
    const body = { name, company: { id: COMPANY } };
    const all = await Promise.allSettled([
      ...categories.map(({ id }) => update(id, { name })),
      running.bus.request(createCategory, { body, context: as() }),
    ]);
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = all.flatMap((one) => (one.status === 'rejected' ? one.reason.code : []));
    expect(new Set(codes)).toEqual(new Set(['category_name_taken']));
  });
});

describe('updateCategory › validation_failed', () => {
  it.each([[''], [' '], ['x'.repeat(51)], [null], [5], ['\ud800']])('for the name %j', async (name) => {
    const { id } = await api.create();
    await expect(update(id, { name })).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/name' }],
    });
  });
});

describe('updateCategory › unavailable', () => {
  it('restores the old name when jobs is unavailable', async () => {
    const { id, name } = await assigned();
    await running.jobs.leave();
    await expect(update(id, { name: newName() })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect((await api.get(id)).name).toBe(name);
    await running.jobs.join();
    running.clock.advance(10_000);
    const last = await waitFor(() => renamesOf(id).at(-1), { what: 'the old name on jobs' });
    expect(last).toEqual({ categoryId: id, name, version: 3 });
  });

  it('restores the old name when jobs is overloaded', async () => {
    const { id, name } = await assigned();
    running.jobs.fault = overloaded('service_concurrency');
    await expect(update(id, { name: newName() })).rejects.toMatchObject({
      code: 'overloaded',
      reason: 'service_concurrency',
    });
    expect((await api.get(id)).name).toBe(name);
  });
});

describe('updateCategory › deadline_exceeded', () => {
  it('leaves the rename to the background', async () => {
    const { id } = await assigned();
    running.jobs.fault = 'silent';
    const name = newName();
    await expect(update(id, { name }, { limitMs: 300 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
    expect((await api.get(id)).name).toBe(name);
    running.jobs.fault = undefined;
    expect(renamesOf(id)).toEqual([]);
    running.clock.advance(10_000);
    await waitFor(() => renamesOf(id).length > 0, { what: 'the background to push the name' });
    expect(renamesOf(id)[0]).toEqual({ categoryId: id, name, version: 2 });
  });

  it('is followed by ok, at the same version, when the same name is sent again', async () => {
    const { id } = await assigned();
    running.jobs.fault = 'silent';
    const name = newName();
    await expect(update(id, { name }, { limitMs: 300 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
    running.jobs.fault = undefined;
    expect((await update(id, { name })).version).toBe(2);
    expect(renamesOf(id)).toEqual([{ categoryId: id, name, version: 2 }]);
  });
});

describe('updateCategory › a job that acquired the old name before the rename', () => {
  it('gets the new name by a second push, once it is committed or never will be', async () => {
    const { id } = await assigned();
    const name = newName();
    await update(id, { name });
    running.clock.advance(20_000);
    await waitFor(() => renamesOf(id).length === 2, { what: 'the second push' });
    expect(renamesOf(id)[1]).toEqual({ categoryId: id, name, version: 2 });
    running.clock.advance(3600_000);
    const other = await assigned();
    await update(other.id, { name: newName() });
    running.clock.advance(20_000);
    await waitFor(() => renamesOf(other.id).length === 2, { what: 'the next second push' });
    expect(renamesOf(id)).toHaveLength(2);
  });
});
