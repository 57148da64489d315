import { recountJobs } from '@joblisting/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ownCall } from '@joblisting/service-kit';
import { randomFrom } from '@joblisting/testing';
import { caller, newJob, refusalOf, runJobs, type RunningJobs, START } from './running-jobs.ts';
import { storedLists } from './stored-lists.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
beforeEach(() => jobs.clock.set(START));

const asCompany = (id: number) => caller([id]);
const make = async (companyId: number, more: object = {}) =>
  (await jobs.create(newJob({ company: { id: companyId }, ...more }), asCompany(companyId))).data;

describe('listJobs › 200', () => {
  it('shows headers, newest displayDate first, then the highest id', async () => {
    const old = await make(10, { publishDate: '2026-01-01' });
    const first = await make(10, { publishDate: '2026-03-05' });
    const second = await make(10, { publishDate: '2026-03-05' });
    const closed = await make(10, { publishDate: '2026-01-01', closeDate: '2026-03-06' });
    const { data, paging, outcome } = await jobs.list(10, {}, asCompany(10));
    expect(outcome).toBe('ok');
    expect(data.map(({ id }) => id)).toEqual([closed.id, second.id, first.id, old.id]);
    expect(paging).toEqual({ total: 4, pageSize: 50, page: 1, pages: 1 });
    expect(data[3]).toEqual({
      id: old.id,
      referenceId: null,
      company: { id: 10, name: 'Company 10' },
      employer: null,
      title: 'Welder',
      displayDate: '2026-01-01',
      city: null,
      province: null,
      status: { id: 1, name: 'Published' },
      viewCount: 0,
      applicationCount: 0,
      clickThroughCount: 0,
    });
  });

  it('shows pages that together hold each job once', async () => {
    const made = [];
    for (let n = 0; n < 7; n++) made.push(await make(11));
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => jobs.list(11, { page, pageSize: 3 }, asCompany(11))),
    );
    expect(pages.map(({ paging }) => paging)).toEqual(
      [1, 2, 3, 4].map((page) => ({ total: 7, pageSize: 3, page, pages: 3 })),
    );
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(
      made.map(({ id }) => id).toReversed(),
    );
  });

  it('has no pages for an empty list, and accepts the highest page number', async () => {
    expect((await jobs.list(12, {}, asCompany(12))).paging).toEqual({
      total: 0,
      pageSize: 50,
      page: 1,
      pages: 0,
    });
    const far = await jobs.list(12, { page: 2_147_483_647, pageSize: 1000 }, asCompany(12));
    expect(far.data).toEqual([]);
  });

  it('shows each job under its current status before a task has stored it', async () => {
    const { id } = await make(13, { publishDate: '2026-03-20', closeDate: '2026-03-25' });
    const statuses = async () =>
      Promise.all(
        ([1, 2, 3, 5] as const).map(
          async (status) => (await jobs.list(13, { 'status.id': status }, asCompany(13))).data.length,
        ),
      );
    expect(await statuses()).toEqual([0, 0, 1, 0]);
    jobs.clock.set('2026-03-19T12:00:00Z');
    expect(await statuses()).toEqual([1, 0, 0, 0]);
    jobs.clock.set('2026-03-25T12:00:00Z');
    expect(await statuses()).toEqual([0, 1, 0, 0]);
    expect((await jobs.list(13, {}, asCompany(13))).data).toMatchObject([{ id, displayDate: '2026-03-25' }]);
  });

  it('settles all that is due first, in more than one chunk', async () => {
    const seed = await make(14, { publishDate: '2026-03-20' });
    const collection = jobs.mongo.collection<{ _id: number }>('jobs');
    const stored = await collection.findOne({ _id: seed.id }, { projection: { counted: 0 } });
    const copies = Array.from({ length: 2500 }, (_, n) => ({
      ...stored,
      _id: 1_000_000 + n,
      uncounted: true,
    }));
    await collection.insertMany(copies);
    jobs.clock.set('2026-03-19T12:00:00Z');
    const { paging } = await jobs.list(14, { 'status.id': 1 }, asCompany(14));
    expect(paging?.total).toBe(2501);
    expect((await jobs.list(14, { 'status.id': 3 }, asCompany(14))).paging?.total).toBe(0);
  });
});

describe('listJobs › 200 to many at once', () => {
  it('shows each client what it wrote before', async () => {
    const lists = Array.from({ length: 40 }, async () => {
      const { id } = await make(19);
      const { data, paging } = await jobs.list(19, {}, asCompany(19));
      return { isShown: data.some((job) => job.id === id), isCounted: paging?.total === data.length };
    });
    expect(new Set((await Promise.all(lists)).map((found) => JSON.stringify(found)))).toEqual(
      new Set([JSON.stringify({ isShown: true, isCounted: true })]),
    );
  });

  it('shows transitions that are due as settled', async () => {
    const published = await make(20, { publishDate: '2026-03-12' });
    jobs.clock.set('2026-03-11T12:00:00Z');
    const lists = await Promise.all(
      Array.from({ length: 20 }, () => jobs.list(20, { 'status.id': 1 }, asCompany(20))),
    );
    for (const { data } of lists) expect(data.map(({ id }) => id)).toEqual([published.id]);
  });
});

describe('listJobs › 200 by several replicas', () => {
  const { expectExactTotals } = storedLists(() => jobs.mongo);
  const as = (...companyIds: number[]) => caller(companyIds, 20_000);

  beforeAll(async () => {
    await jobs.addReplica();
    await jobs.addReplica();
  });

  /** The length of a list, from a page of one job: a full page does not show it. */
  const total = async (companyId: number, status?: 1 | 2 | 3) => {
    const more = { pageSize: 1, ...(status && { 'status.id': status }) };
    return (await jobs.list(companyId, more, as(companyId))).paging?.total;
  };

  /** A client of its own company and of a shared one. Lists must show its writes at once. */
  async function client(companyId: number, shared: number, steps: number): Promise<void> {
    const { below } = randomFrom(companyId);
    const open = new Set<number>();
    const closed = new Set<number>();
    const context = as(companyId, shared);
    const create = async (of: number) =>
      (await jobs.create(newJob({ company: { id: of } }), context)).data.id;
    for (let step = 0; step < steps; step++) {
      const id = [...open][below(open.size)];
      const what = below(4);
      if (id === undefined || what < 2) open.add(await create(companyId));
      else if (what === 2) {
        await jobs.update(id, { status: { id: 2 } }, context);
        open.delete(id);
        closed.add(id);
      } else {
        await jobs.remove(id, context);
        open.delete(id);
      }
      const sharedId = await create(shared);
      if (below(2) === 0) await jobs.update(sharedId, { status: { id: 2 } }, context);
      expect(await total(companyId)).toBe(open.size + closed.size);
      expect(await total(companyId, 2)).toBe(closed.size);
    }
  }

  it('has exact totals while many write', async () => {
    const companies = Array.from({ length: 12 }, (_, index) => 100 + index);
    await Promise.all(companies.map((companyId) => client(companyId, 99, 6)));
    expect(await total(99)).toBe(12 * 6);
    for (const companyId of [99, ...companies]) await expectExactTotals(companyId);
  }, 120_000);

  it('has exact totals after the transitions of noon', async () => {
    const body = newJob({ company: { id: 50 }, publishDate: '2026-03-20', closeDate: '2026-03-25' });
    await Promise.all(Array.from({ length: 50 }, () => jobs.create(body, as(50))));
    await expectExactTotals(50);
    expect([await total(50), await total(50, 3)]).toEqual([50, 50]);
    jobs.clock.set('2026-03-19T12:00:00Z');
    expect([await total(50, 3), await total(50, 1)]).toEqual([0, 50]);
    jobs.clock.set('2026-03-25T12:00:00Z');
    expect([await total(50, 1), await total(50, 2)]).toEqual([0, 50]);
    await expectExactTotals(50);
  }, 60_000);
});

describe('recountJobs › 200', () => {
  it('corrects totals that are wrong', async () => {
    await make(21);
    const { expectExactTotals, totals } = storedLists(() => jobs.mongo);
    await expectExactTotals(21);
    await totals().updateOne({ _id: 21 }, { $inc: { 'totals.1': 5 } });
    const recount = async () =>
      (await jobs.bus.request(recountJobs, { params: {}, body: { companyId: 21 }, context: ownCall(5000) }))
        .data;
    expect(await recount()).toEqual({ corrected: true });
    expect((await jobs.list(21, {}, asCompany(21))).paging?.total).toBe(1);
    expect(await recount()).toEqual({ corrected: false });
  });
});

describe('listJobs › 403', () => {
  it('for a company that is not granted', async () => {
    expect((await refusalOf(jobs.list(3))).code).toBe('company_forbidden');
  });
});

describe('listJobs › 400', () => {
  it.each([
    { pageSize: 0 },
    { pageSize: 1001 },
    { page: 0 },
    { 'status.id': 4 as 1 },
    { referenceId: '' },
    { referenceId: 'x'.repeat(51) },
    { referenceId: 'a\nb' },
  ])('for %j', async (params) => {
    const refusal = await refusalOf(jobs.list(1, params));
    expect(refusal.code).toBe('invalid_parameter');
    expect(refusal.errors).toMatchObject([{ parameter: Object.keys(params)[0] }]);
  });
});
