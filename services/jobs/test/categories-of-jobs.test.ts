import { findActiveCategories, findHeldCategories, renameCategoryOnJobs } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { mongoProxy, testMongoUri, waitFor } from '@joblisting/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { referencesOf } from './peers.ts';
import { caller, newJob, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
beforeEach(() => {
  jobs.clock.set(START);
  jobs.peers.beforeAcquire = () => Promise.resolve();
  jobs.peers.categoriesAway = false;
});

const call = <B>(body: B) => ({ body, context: ownCall(5000) });
const active = async (companyId: number) =>
  (await jobs.bus.request(findActiveCategories, call({ companyId }))).data.ids.toSorted((a, b) => a - b);
const rename = async (categoryId: number, name: string, version: number) =>
  (await jobs.bus.request(renameCategoryOnJobs, call({ categoryId, name, version }))).data.jobs;
const make = async (companyId: number, categories: object[], more: object = {}) =>
  (await jobs.create(newJob({ company: { id: companyId }, categories, ...more }), caller([companyId]))).data;

let isLoaded = false;
/** Waits until the system categories are in memory, and forgets the requests so far. */
async function loaded() {
  if (!isLoaded)
    await waitFor(() => jobs.peers.categoryRequests.includes('list'), { what: 'the system categories' });
  isLoaded = true;
  await jobs.bus.flush();
  jobs.peers.categoryRequests.length = 0;
}

describe('a job with system categories only', () => {
  it('costs no request to categories, when it is created, changed and refused', async () => {
    await loaded();
    const { id, categories } = await make(25, [{ name: ' system  901' }, { id: 902 }, { id: 901 }]);
    expect(categories).toEqual([
      { id: 901, name: 'System 901' },
      { id: 902, name: 'System 902' },
    ]);
    await jobs.update(id, { categories: [{ id: 902 }] }, caller([25]));
    await jobs.update(id, { categories: [{ name: 'SYSTEM 901' }] }, caller([25]));
    const { data } = await jobs.update(id, { categories: null }, caller([25]));
    expect(data.categories).toEqual([]);
    const unknownCompany = newJob({ company: { id: 999 }, categories: [{ id: 901 }] });
    await expect(jobs.create(unknownCompany, caller([999]))).rejects.toMatchObject({
      code: 'validation_failed',
    });
    const badCity = newJob({ company: { id: 25 }, categories: [{ id: 901 }], city: 5 });
    await expect(jobs.create(badCity, caller([25]))).rejects.toMatchObject({ code: 'validation_failed' });
    expect(jobs.peers.categoryRequests).toEqual([]);
  });

  it('is written while categories is unavailable', async () => {
    await loaded();
    jobs.peers.categoriesAway = true;
    const { id } = await make(25, [{ id: 901 }]);
    const { data } = await jobs.update(id, { categories: [{ id: 902 }] }, caller([25]));
    expect(data.categories).toEqual([{ id: 902, name: 'System 902' }]);
    await expect(make(25, [{ id: 1 }])).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'no_responder',
    });
  });
});

describe('a job that changes from a custom category to a system one', () => {
  it('releases the custom one', async () => {
    await loaded();
    const { id } = await make(25, [{ id: 1 }]);
    expect(referencesOf(jobs.peers, id)).toEqual([1]);
    await jobs.update(id, { categories: [{ id: 901 }] }, caller([25]));
    expect(referencesOf(jobs.peers, id)).toEqual([]);
    expect(jobs.peers.categoryRequests).toEqual(['acquire', 'release']);
  });
});

describe('findActiveCategories', () => {
  it('names those of Published jobs, right after each write and each transition', async () => {
    expect(await active(20)).toEqual([]);
    const { id } = await make(20, [{ id: 1 }, { id: 2 }]);
    await make(20, [{ id: 2 }, { id: 3 }]);
    await make(20, [{ id: 4 }], { publishDate: '2026-03-20' });
    await make(21, [{ id: 5 }]);
    expect(await active(20)).toEqual([1, 2, 3]);
    await jobs.update(id, { status: { id: 2 } }, caller([20]));
    expect(await active(20)).toEqual([2, 3]);
    jobs.clock.set('2026-03-19T12:00:00Z');
    expect(await active(20)).toEqual([2, 3, 4]);
  });
});

describe('renameCategoryOnJobs › the database fails after the name is stored', () => {
  it('answers deadline_exceeded: something may be done', async () => {
    const proxy = await mongoProxy(testMongoUri());
    const behind = await runJobs({ MONGODB_URI: proxy.uri });
    try {
      // Only the search for jobs with the old name uses this operator.
      proxy.dieWithin('$elemMatch');
      const renamed = behind.bus.request(
        renameCategoryOnJobs,
        call({ categoryId: 6, name: 'Sixth', version: 2 }),
      );
      await expect(renamed).rejects.toMatchObject({ code: 'deadline_exceeded' });
    } finally {
      await behind.stop();
      await proxy.stop();
    }
  });
});

describe('renameCategoryOnJobs', () => {
  it('shows the name on every job, and leaves their versions', async () => {
    const one = await make(1, [{ id: 1 }, { id: 6 }]);
    const two = await make(2, [{ id: 6 }]);
    expect(await rename(6, 'Sixth', 2)).toBe(2);
    const read = await jobs.get(one.id);
    expect(read.data.categories).toEqual([
      { id: 1, name: 'Category 1' },
      { id: 6, name: 'Sixth' },
    ]);
    expect(read.version).toBe(1);
    expect((await jobs.get(two.id)).data.categories).toEqual([{ id: 6, name: 'Sixth' }]);
  });

  it('ignores a name older than the last, and takes the last one twice', async () => {
    const { id } = await make(1, [{ id: 6 }]);
    await rename(6, 'Newer', 5);
    expect(await rename(6, 'Older', 4)).toBe(0);
    expect(await rename(6, 'Newer', 5)).toBe(0);
    expect((await jobs.get(id)).data.categories).toEqual([{ id: 6, name: 'Newer' }]);
  });

  it('reaches more jobs than one write changes', async () => {
    const seed = await make(22, [{ id: 3 }]);
    const collection = jobs.mongo.collection<{ _id: number }>('jobs');
    const stored = await collection.findOne({ _id: seed.id });
    await collection.insertMany(Array.from({ length: 2300 }, (_, n) => ({ ...stored, _id: 1_000_000 + n })));
    await rename(3, 'Third', 2);
    await expect(collection.countDocuments({ companyId: 22, 'categories.name': 'Third' })).resolves.toBe(
      2301,
    );
  });

  it('reaches a job that is being written meanwhile', async () => {
    jobs.peers.beforeAcquire = async () => void (await rename(5, 'Fifth', 2));
    const created = await make(1, [{ id: 5 }]);
    expect(created.categories).toEqual([{ id: 5, name: 'Fifth' }]);
    expect((await jobs.get(created.id)).data).toEqual(created);

    jobs.peers.beforeAcquire = async () => void (await rename(5, 'Five', 3));
    const { data } = await jobs.update(created.id, { categories: [{ id: 5 }, { id: 1 }] });
    expect(data.categories[0]).toEqual({ id: 5, name: 'Five' });
    expect((await jobs.get(created.id)).data).toEqual(data);
  });
});

describe('findHeldCategories', () => {
  it('lists the categories of jobs, and leaves out deleted jobs', async () => {
    const held = await make(1, [{ id: 1 }, { id: 2 }]);
    const none = await make(1, []);
    const { data } = await jobs.bus.request(
      findHeldCategories,
      call({ jobIds: [held.id, none.id, 2_000_000_000] }),
    );
    expect(data).toEqual([
      { jobId: held.id, version: 1, categoryIds: [1, 2] },
      { jobId: none.id, version: 1, categoryIds: [] },
    ]);
  });
});
