import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import type { Mongo } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import { listStore } from '../src/store/list-store.ts';
import { jobsDatabase } from './jobs-database.ts';
import { type Stored, storedLists } from './stored-lists.ts';

const { mongo, connect } = jobsDatabase('list-totals');
const { jobs, totals, fill, move, remove, below, pageOf, foldAll, expectExactTotals, total } =
  storedLists(mongo);

const soon = () => Date.now() + 20_000;
const ignoreTimeout = (error: unknown) => {
  if (!(error instanceof ServiceError) || error.code !== 'deadline_exceeded') throw error;
};

describe('the total of a list', () => {
  it('is right after every write, however many are not folded', async () => {
    const made = await fill(20, 300);
    await foldAll();
    for (const job of made.slice(0, 60)) await move(await move(job));
    for (const job of made.slice(40, 80)) await remove(await move(job));
    await fill(20, 1500, { statusId: 1 });
    expect(await total(20)).toBe(1760);
    expect(await total(20, 2)).toBe(await jobs().countDocuments({ companyId: 20, statusId: 2 }));
    await expectExactTotals(20);
    expect(await total(20)).toBe(1760);
  });

  it('never counts jobs of other companies', async () => {
    const companies = Array.from({ length: 30 }, (_, index) => ({ id: 100 + index, many: 1 + below(40) }));
    for (const { id, many } of companies) await fill(id, many);
    for (const { id, many } of companies) expect(await total(id)).toBe(many);
    for (const { id } of companies) await expectExactTotals(id);
  });

  it('is exact at every moment while clients write, replicas fold and operators recount', async () => {
    const SHARED = 200;
    const replicas = await Promise.all([0, 1].map(() => connect()));
    let isDone = false;

    const folding = replicas.map(async (replica) => {
      // On a slow machine the recounts leave a fold no time; the task folds again as well.
      while (!isDone) await foldAll(listStore(replica), 7).catch(ignoreTimeout);
    });
    const recounting = (async () => {
      while (!isDone) expect((await listStore(mongo()).recount(SHARED, soon())).corrected).toBe(false);
    })();
    const checking = (async () => {
      while (!isDone)
        for (const statusId of [undefined, 1, 2, 3, 5] as const) {
          const page = await pageOf({ companyId: SHARED, statusId, page: 1, pageSize: 1000 });
          expect({ statusId, total: page.total }).toEqual({ statusId, total: page.jobs.length });
        }
    })();
    const client = async (companyId: number, own: Stored[] = [], shared: Stored[] = []) => {
      for (let step = 0; step < 60; step++)
        for (const [company, some] of [[companyId, own] as const, [SHARED, shared] as const]) {
          const what = below(4);
          const [job] = what < 2 ? [] : some.splice(below(some.length), 1);
          if (!job) some.push(...(await fill(company, 1 + below(2))));
          else if (what === 2) some.push(await move(job));
          else await remove(job);
          if (company !== companyId) continue;
          const statusId = ([undefined, 1, 2, 3, 5] as const)[below(5)];
          const expected = own.filter((one) => statusId === undefined || one.statusId === statusId).length;
          expect({ statusId, total: await total(companyId, statusId) }).toEqual({
            statusId,
            total: expected,
          });
        }
      return shared.length;
    };

    try {
      const shared = await Promise.all(Array.from({ length: 6 }, (_, index) => client(201 + index)));
      expect(await total(SHARED)).toBe(shared.reduce((sum, many) => sum + many, 0));
    } finally {
      isDone = true;
      await Promise.all([...folding, recounting, checking]);
      await Promise.all(replicas.map((replica) => replica.close()));
    }
    for (let companyId = SHARED; companyId <= SHARED + 6; companyId++) await expectExactTotals(companyId);
  }, 120_000);
});

describe('folding', () => {
  it('folds each job once when replicas contend and one is killed', async () => {
    for (let round = 1; round <= 3; round++) {
      const made = await fill(22, 300);
      const replicas = (await Promise.all([0, 1, 2].map(() => connect()))) as [Mongo, Mongo, Mongo];
      const folding = replicas.map((replica) => foldAll(listStore(replica)).catch(() => undefined));
      for (const job of made.slice(0, 10)) await move(job);
      await replicas[0].destroy();
      await Promise.all(folding);
      await Promise.all(replicas.slice(1).map((replica) => replica.close()));
      expect(await total(22)).toBe(300 * round);
    }
    // The transaction of the killed one keeps others waiting for a while.
    const isFolded = async () => {
      await foldAll().catch(() => undefined);
      return (await listStore(mongo()).nextToFold(0)) === undefined;
    };
    await waitFor(isFolded, { limitMs: 25_000, what: 'everything to be folded' });
    await expectExactTotals(22);
  }, 60_000);

  it('goes through the companies in rotation', async () => {
    await fill(30, 3);
    for (const job of await fill(31, 1)) await remove(job);
    const store = listStore(mongo());
    expect(await store.nextToFold(29)).toBe(30);
    expect(await store.nextToFold(30)).toBe(31);
    expect(await store.nextToFold(31)).toBeUndefined();
    await store.fold(30, 2);
    expect(await store.nextToFold(29)).toBe(30);
    await store.fold(30, 2);
    await store.fold(31, 2);
    expect(await store.nextToFold(29)).toBeUndefined();
  });
});

describe('recount', () => {
  it('corrects totals that were lost or wrong', async () => {
    const made = await fill(40, 200);
    await foldAll();
    for (const job of made.slice(0, 20)) await move(job);
    for (const job of made.slice(20, 50)) await remove(job);
    await fill(40, 10);
    const store = listStore(mongo());
    await totals().deleteOne({ _id: 40 });
    expect(await store.recount(40, soon())).toEqual({ corrected: true });
    expect(await total(40)).toBe(180);
    await totals().updateOne({ _id: 40 }, { $inc: { 'totals.1': 7, 'totals.3': -7 } });
    expect(await store.recount(40, soon())).toEqual({ corrected: true });
    expect(await store.recount(40, soon())).toEqual({ corrected: false });
    await expectExactTotals(40);
  });

  it('counts jobs that something else put into the database, changed or deleted there', async () => {
    const made = (await fill(41, 50, { statusId: 1 })) as [Stored, Stored, ...Stored[]];
    await foldAll();
    await jobs().updateOne({ _id: made[0]._id }, { $set: { statusId: 2 } });
    await jobs().deleteOne({ _id: made[1]._id });
    const imported = (await fill(41, 3, { statusId: 5 })).map(({ _id }) => _id);
    await jobs().updateMany({ _id: { $in: imported } }, { $unset: { uncounted: '' } });
    expect(await listStore(mongo()).recount(41, soon())).toEqual({ corrected: true });
    expect([await total(41, 1), await total(41, 2), await total(41, 5)]).toEqual([48, 1, 3]);
    for (const job of made.slice(2, 12)) await move(job);
    await expectExactTotals(41);
  });

  it('finds nothing to correct for a company without jobs', async () => {
    expect(await listStore(mongo()).recount(42, soon())).toEqual({ corrected: false });
  });
});
