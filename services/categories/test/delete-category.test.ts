import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteCategory, nameKey, ServiceError } from '@joblisting/contracts';
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

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  // The sweep must not remove the references that these tests leave behind.
  running = await runCategories({ SWEEP_EVERY_MS: '3600000' });
  await running.addReplica();
  api = client(running);
});
afterAll(() => running.stop());
beforeEach(() => running.jobs.held.clear());

const remove = (id: number, companies = [COMPANY]) =>
  running.bus.request(deleteCategory, { params: { id }, context: as(companies) });

describe('deleteCategory › deleted', () => {
  it('removes the category, and frees its name', async () => {
    const { id, name } = await api.create();
    expect((await remove(id)).outcome).toBe('deleted');
    expect(await collections(running.mongo).names.countDocuments({ _id: nameKey(name) })).toBe(0);
    await expect(api.get(id)).rejects.toMatchObject({ code: 'category_not_found' });
    await expect(remove(id)).rejects.toMatchObject({ code: 'category_not_found' });
    const again = await api.create(name);
    expect(again.name).toBe(name);
    expect(again.id).not.toBe(id);
  });

  it('removes it once its last reference is released', async () => {
    const { id } = await api.create();
    await api.acquire(1, [{ id }]);
    await api.release(1, 1);
    expect((await remove(id)).outcome).toBe('deleted');
  });
});

describe('deleteCategory › category_assigned', () => {
  it('names a job that has it', async () => {
    const { id } = await api.create();
    await api.acquire(2, [{ id }]);
    running.clock.advance(60_000);
    await api.acquire(3, [{ id }]);
    running.jobs.held.set(3, { version: 1, categoryIds: [id] });
    await expect(remove(id)).rejects.toMatchObject({
      code: 'category_assigned',
      conflict: { resource: 'job', id: 3 },
    });
    expect(await api.references(id)).toEqual({ counted: 1, written: 1 });
  });

  it('when an acquisition may still be committed', async () => {
    const { id } = await api.create();
    await api.acquire(4, [{ id }]);
    running.clock.advance(15_000);
    await expect(remove(id)).rejects.toMatchObject({ conflict: { resource: 'job', id: 4 } });
  });

  it('when jobs is unavailable', async () => {
    const { id } = await api.create();
    await api.acquire(5, [{ id }]);
    running.clock.advance(60_000);
    await running.jobs.leave();
    await expect(remove(id)).rejects.toMatchObject({ conflict: { resource: 'job', id: 5 } });
    await running.jobs.join();
  });
});

describe('deleteCategory › internal', () => {
  it('when jobs answers with an error', async () => {
    const { id } = await api.create();
    await api.acquire(9, [{ id }]);
    running.jobs.fault = new ServiceError('internal');
    await expect(remove(id)).rejects.toMatchObject({ code: 'internal' });
    running.jobs.fault = undefined;
  });
});

describe('deleteCategory › deleted in spite of a reference that no job has', () => {
  it('when the acquisition was never committed', async () => {
    const { id } = await api.create();
    await api.acquire(6, [{ id }], { version: 2 });
    running.jobs.held.set(6, { version: 1, categoryIds: [] });
    running.clock.advance(20_001);
    expect((await remove(id)).outcome).toBe('deleted');
  });

  it('when the release was lost', async () => {
    const { id } = await api.create();
    await api.acquire(7, [{ id }], { version: 1 });
    running.jobs.held.set(7, { version: 2, categoryIds: [] });
    expect((await remove(id)).outcome).toBe('deleted');
  });

  it('when the job is deleted', async () => {
    const { id } = await api.create();
    await api.acquire(8, [{ id }]);
    running.clock.advance(20_001);
    expect((await remove(id)).outcome).toBe('deleted');
  });
});

describe('deleteCategory › category_not_found', () => {
  it("for an unknown category and for another company's", async () => {
    const foreign = await api.create(newName(), OTHER_COMPANY);
    for (const id of [foreign.id, 2_000_000_000]) {
      await expect(remove(id)).rejects.toMatchObject({ code: 'category_not_found' });
    }
    expect((await remove(foreign.id, [OTHER_COMPANY])).outcome).toBe('deleted');
  });
});

describe('deleteCategory › system_category', () => {
  it('for a system category', async () => {
    await expect(remove(8)).rejects.toMatchObject({ code: 'system_category' });
  });
});
