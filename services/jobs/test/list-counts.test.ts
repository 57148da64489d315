import type { StatusId } from '@joblisting/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectMongo, createLog, type Mongo } from '@joblisting/service-kit';
import { databasePrefix, testMongoUri, waitFor } from '@joblisting/testing';
import { auditLists } from '../src/background/audit-lists.ts';
import { countLists } from '../src/background/count-lists.ts';
import { totalOf } from '../src/domain/list-place.ts';
import { createIndexes } from '../src/store/collections.ts';
import { inSnapshot } from '../src/store/in-snapshot.ts';
import { jobStore } from '../src/store/job-store.ts';
import { listBatches } from '../src/store/list-batches.ts';
import { listCountStore } from '../src/store/list-count-store.ts';
import { listCounting } from '../src/store/list-counting.ts';
import { listRecount } from '../src/store/list-recount.ts';
import type { CountedPlace } from '../src/store/list-documents.ts';
import { type ListStore, listStore, type PageRequest } from '../src/store/list-store.ts';
import { expectExactCounts } from './list-counts.ts';
import { type Stored, storedJobs } from './stored-jobs.ts';

const database = `${databasePrefix()}list-counts`;
let mongo: Mongo;
let lists: ListStore;

beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), database);
  await createIndexes(mongo);
  await listRecount(mongo).prepare();
  lists = listStore(mongo);
  countAll = countingBy(mongo);
});
afterAll(async () => {
  await mongo.dropDatabase();
  await mongo.close();
});

/** Before any transition has come. */
const NOW = 0;
const jobs = () => mongo.collection<Stored>('jobs');
const stopping = new AbortController().signal;
const isDue = async () => false;
const countingBy = (by: Mongo) =>
  countLists({ counting: listCounting(by), recount: listRecount(by), isDue, stopping });
let countAll: () => Promise<void>;
const { fill, load, move, remove, below } = storedJobs(() => mongo);

const inOrder = (stored: readonly Stored[]) =>
  stored
    .toSorted((a, b) => b.displayDate.localeCompare(a.displayDate) || b._id - a._id)
    .map(({ _id }) => _id);

async function pageOf(request: PageRequest) {
  const page = await lists.page(request, NOW);
  if (!page) throw new Error('a transition has come that nobody has stored');
  return page;
}

const total = async (companyId: number, statusId?: StatusId) =>
  (await pageOf({ companyId, statusId, page: 1, pageSize: 1 })).total;

/** Every page of a list, and one more. */
async function allPages(companyId: number, statusId: PageRequest['statusId'], pageSize: number) {
  const ids: number[] = [];
  const totals = new Set<number>();
  for (let page = 1; ; page++) {
    const answer = await pageOf({ companyId, statusId, page, pageSize });
    totals.add(answer.total);
    ids.push(...answer.jobs.map(({ id }) => id));
    if (answer.jobs.length === 0) return { ids, totals: [...totals] };
  }
}

describe('the pages of a list', () => {
  const LARGE = 10;
  let all: Stored[];

  beforeAll(async () => {
    // Most on days of their own, many on one day, so that pages begin and end inside it.
    all = [...(await fill(LARGE, 1300)), ...(await fill(LARGE, 1100, { displayDate: '2026-02-03' }))];
  });

  describe.each(['not counted', 'counted', 'changed since they were counted'])(
    'of jobs that are %s',
    (state) => {
      beforeAll(async () => {
        if (state !== 'not counted') await countAll();
        if (state !== 'changed since they were counted') return;
        all.push(...(await fill(LARGE, 300)));
        for (const job of all.splice(500, 150)) await remove(job);
        for (const job of all.splice(2500, 150)) all.push(await move(job));
      });

      it.each([
        [undefined, 1000],
        [undefined, 333],
        [undefined, 97],
        [1, 250],
        [2, 41],
      ] as const)('(status %s, page size %d) hold each once and in order', async (statusId, pageSize) => {
        const expected = inOrder(all.filter((job) => statusId === undefined || job.statusId === statusId));
        const found = await allPages(LARGE, statusId, pageSize);
        expect(found.ids).toEqual(expected);
        expect(found.totals).toEqual([expected.length]);
      });
    },
  );
});

describe('counts', () => {
  it('are exact, and lists too, whatever moved before they were made', async () => {
    const made = await fill(20, 300);
    await countAll();
    await expectExactCounts(mongo, 20);
    for (const job of made.slice(0, 60)) await move(await move(job));
    for (const job of made.slice(40, 80)) await remove(await move(job));
    await fill(20, 40);
    expect(await total(20)).toBe(300);
    expect(await total(20, 2)).toBe(await jobs().countDocuments({ companyId: 20, statusId: 2 }));
    await countAll();
    await expectExactCounts(mongo, 20);
    expect(await total(20)).toBe(300);
  });

  it('are right where most of a company is not counted yet', async () => {
    await fill(21, 50);
    await countAll();
    await fill(21, 1500, { statusId: 1 });
    expect(await total(21)).toBe(1550);
    await countAll();
    await expectExactCounts(mongo, 21);
    expect(await total(21)).toBe(1550);
  });

  it('tell how many jobs there are of all statuses, however many have moved', async () => {
    const made = await fill(24, 620, { statusId: 1 });
    await countAll();
    await jobs().updateMany({ companyId: 24 }, { $set: { statusId: 2 }, $rename: { counted: 'miscounted' } });
    for (const job of made.slice(0, 10)) await remove(job);
    await fill(24, 5);
    const read = (isOfAll: boolean) =>
      inSnapshot(mongo, (snapshot) => listCountStore(mongo).read(24, snapshot, { isOfAll }));
    const { counts } = await read(true);
    expect(counts && totalOf(counts.totals, counts.shifts, undefined)).toBe(615);
    expect((await read(false)).counts).toBeUndefined();
    expect(await total(24)).toBe(615);
  });

  it('are of one company each, in whatever chunks they are counted', async () => {
    const companies = Array.from({ length: 30 }, (_, index) => 100 + index);
    for (const companyId of companies) await fill(companyId, 1 + below(40));
    await countAll();
    for (const companyId of companies) await expectExactCounts(mongo, companyId);
  });

  it('are made once by replicas that contend, and by those that are killed', async () => {
    for (let round = 0; round < 4; round++) {
      const made = await fill(22, 600);
      const replicas = await Promise.all([0, 1, 2].map(() => connectMongo(testMongoUri(), database)));
      const [killed, ...others] = replicas as [Mongo, Mongo, Mongo];
      const dying = countingBy(killed)().catch(() => undefined);
      const counting = others.map((replica) => countingBy(replica)().catch(() => undefined));
      for (const job of made.slice(0, 20)) await move(job);
      await killed.destroy();
      await Promise.all([dying, ...counting]);
      await Promise.all(others.map((replica) => replica.close()));
      expect(await total(22)).toBe(600 * (round + 1));
    }
    // A killed transaction keeps others waiting for a while.
    const allCounted = async () => (await countAll(), !(await listCounting(mongo).isBehind()));
    await waitFor(allCounted, { limitMs: 25_000, what: 'everything to be counted' });
    await expectExactCounts(mongo, 22);
  });
});

describe('a batch that somebody else has finished', () => {
  it('is left as it is, also where its jobs are in a later one', async () => {
    const [job] = (await fill(23, 1, { statusId: 1 })) as [Stored];
    const find = () => jobs().findOne({ _id: job._id });
    await countAll();
    const place = (await find())?.counted as CountedPlace;
    const stored = await load(job._id);
    const closed = { ...stored, statusId: 2, version: stored.version + 1 } as const;
    await jobStore(mongo).replace(stored, closed, [], Date.now());
    await countAll();
    const counted = await find();
    const late = { batch: place.batch, jobs: [{ id: job._id, companyId: 23, place }], gone: [] };
    await listBatches(mongo).finish(late);
    expect(await find()).toEqual(counted);
    await expectExactCounts(mongo, 23);
  });
});

describe('counts are made anew', () => {
  const restart = () => listRecount(mongo).prepare();
  beforeAll(() => jobs().deleteMany({}));

  it('where a service starts on jobs that were never counted, and lists are right until then', async () => {
    await mongo.dropCollection('list_totals');
    await mongo.dropCollection('list_days');
    await jobs().updateMany({}, { $unset: { counted: '', miscounted: '' } });
    await fill(30, 1200);
    await createIndexes(mongo);
    await restart();
    expect(await total(30)).toBe(1200);
    await countAll();
    await expectExactCounts(mongo, 30);
  });

  it('where the counts were thrown away, by whichever replica is first', async () => {
    const made = await fill(31, 400);
    await countAll();
    for (const job of made.slice(0, 30)) await move(job);
    for (const job of made.slice(30, 60)) await remove(job);
    await mongo.dropCollection('list_totals');
    await mongo.dropCollection('list_days');
    expect(await total(31)).toBe(370);
    await createIndexes(mongo);
    await Promise.all([restart(), restart()]);
    expect(await total(31)).toBe(370);
    await Promise.all([countAll(), countingBy(mongo)()]);
    await countAll();
    await expectExactCounts(mongo, 31);
    expect(await total(31)).toBe(370);
  });

  it('of jobs too that have moved before they were made, and lists are right until then', async () => {
    const [moved] = (await fill(35, 20)) as [Stored];
    await countAll();
    await move(moved);
    const recount = listRecount(mongo);
    await recount.order(35);
    const ordered = await recount.next();
    if (ordered) await recount.forget(ordered);
    expect(await total(35)).toBe(20);
    await countAll();
    await expectExactCounts(mongo, 35);
    expect(await total(35)).toBe(20);
  });

  it('later than the last time, whatever the clock says', async () => {
    const [{ _id: _, ...job }] = (await fill(34, 20)) as [Stored];
    const recount = listRecount(mongo);
    await recount.order(34);
    const since = new Date(Date.now() + 3600_000);
    await mongo.collection<{ _id: number }>('list_totals').updateOne({ _id: 34 }, { $set: { since } });
    await countAll();
    await recount.order(34);
    expect(await recount.next()).toEqual({ companyId: 34, since: new Date(since.getTime() + 1) });
    await fill(34, 1, job);
    expect(await total(34)).toBe(21);
    await countAll();
    await expectExactCounts(mongo, 34);
    expect(await total(34)).toBe(21);
  });

  it('where an earlier release has moved or deleted jobs, once the audit sees it', async () => {
    const [first, second, third] = (await fill(32, 50, { statusId: 1 })) as [Stored, Stored, Stored];
    await countAll();
    await jobs().updateOne({ _id: first._id }, { $set: { statusId: 2 } });
    await jobs().deleteOne({ _id: second._id });
    const copied = (await jobs().findOne({ _id: third._id })) as Stored;
    await jobs().insertOne({ ...copied, _id: 1_000_000 });
    const recount = listRecount(mongo);
    expect((await recount.audit(32)).isRight).toBe(false);
    await auditLists(recount, stopping, createLog('jobs', 'silent'))();
    await countAll();
    await expectExactCounts(mongo, 32);
    expect(await total(32, 1)).toBe(49);
  });

  it('not where they are right', async () => {
    await fill(33, 60);
    await countAll();
    for (const job of await fill(33, 1)) await move(job);
    expect(await listRecount(mongo).audit(33)).toEqual({ isRight: true, jobs: 61 });
  });
});
