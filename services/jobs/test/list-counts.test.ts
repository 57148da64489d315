import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Mongo } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import { totalOf } from '../src/domain/list-place.ts';
import { inSnapshot } from '../src/store/in-snapshot.ts';
import { jobStore } from '../src/store/job-store.ts';
import { listBatches } from '../src/store/list-batches.ts';
import { listCountStore } from '../src/store/list-count-store.ts';
import { listCounting } from '../src/store/list-counting.ts';
import type { CountedPlace } from '../src/store/list-documents.ts';
import type { PageRequest } from '../src/store/list-store.ts';
import { countedLists } from './counted-lists.ts';
import { expectExactCounts } from './list-counts.ts';
import { type Stored, storedJobs } from './stored-jobs.ts';

const { mongo, connect, jobs, countingBy, countAll, pageOf, total } = countedLists('list-counts');
const { fill, load, move, remove, below } = storedJobs(mongo);

const inOrder = (stored: readonly Stored[]) =>
  stored
    .toSorted((a, b) => b.displayDate.localeCompare(a.displayDate) || b._id - a._id)
    .map(({ _id }) => _id);

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
    await expectExactCounts(mongo(), 20);
    for (const job of made.slice(0, 60)) await move(await move(job));
    for (const job of made.slice(40, 80)) await remove(await move(job));
    await fill(20, 40);
    expect(await total(20)).toBe(300);
    expect(await total(20, 2)).toBe(await jobs().countDocuments({ companyId: 20, statusId: 2 }));
    await countAll();
    await expectExactCounts(mongo(), 20);
    expect(await total(20)).toBe(300);
  });

  it('are right where most of a company is not counted yet', async () => {
    await fill(21, 50);
    await countAll();
    await fill(21, 1500, { statusId: 1 });
    expect(await total(21)).toBe(1550);
    await countAll();
    await expectExactCounts(mongo(), 21);
    expect(await total(21)).toBe(1550);
  });

  it('tell how many jobs there are of all statuses, however many have moved', async () => {
    const made = await fill(24, 620, { statusId: 1 });
    await countAll();
    await jobs().updateMany({ companyId: 24 }, { $set: { statusId: 2 }, $rename: { counted: 'miscounted' } });
    for (const job of made.slice(0, 10)) await remove(job);
    await fill(24, 5);
    const read = (isOfAll: boolean) =>
      inSnapshot(mongo(), (snapshot) => listCountStore(mongo()).read(24, snapshot, { isOfAll }));
    const { counts } = await read(true);
    expect(counts && totalOf(counts.totals, counts.shifts, undefined)).toBe(615);
    expect((await read(false)).counts).toBeUndefined();
    expect(await total(24)).toBe(615);
  });

  it('are of one company each, in whatever chunks they are counted', async () => {
    const companies = Array.from({ length: 30 }, (_, index) => 100 + index);
    for (const companyId of companies) await fill(companyId, 1 + below(40));
    await countAll();
    for (const companyId of companies) await expectExactCounts(mongo(), companyId);
  });

  it('are made once by replicas that contend, and by those that are killed', async () => {
    for (let round = 0; round < 4; round++) {
      const made = await fill(22, 600);
      const replicas = await Promise.all([0, 1, 2].map(() => connect()));
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
    const allCounted = async () => (await countAll(), !(await listCounting(mongo()).isBehind()));
    await waitFor(allCounted, { limitMs: 25_000, what: 'everything to be counted' });
    await expectExactCounts(mongo(), 22);
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
    await jobStore(mongo()).replace(stored, closed, { transitions: [], now: Date.now(), commitBy: Infinity });
    await countAll();
    const counted = await find();
    const late = { batch: place.batch, jobs: [{ id: job._id, companyId: 23, place }], gone: [] };
    await listBatches(mongo()).finish(late);
    expect(await find()).toEqual(counted);
    await expectExactCounts(mongo(), 23);
  });
});
