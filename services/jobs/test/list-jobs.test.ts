import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { caller, newJob, refusalOf, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
beforeEach(() => jobs.clock.set(START));

const asCompany = (id: number) => caller([id]);
const make = async (companyId: number, more: object = {}) =>
  (await jobs.create(newJob({ company: { id: companyId }, ...more }), asCompany(companyId))).data;

describe('listJobs shows', () => {
  it('headers, newest displayDate first, then the highest id', async () => {
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

  it('pages that together hold each job once', async () => {
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

  it('no pages of no jobs, and the last page number there is', async () => {
    expect((await jobs.list(12, {}, asCompany(12))).paging).toEqual({
      total: 0,
      pageSize: 50,
      page: 1,
      pages: 0,
    });
    const far = await jobs.list(12, { page: 2_147_483_647, pageSize: 1000 }, asCompany(12));
    expect(far.data).toEqual([]);
  });

  it('each job under the status that it has now, though nobody settled it', async () => {
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

  it('all that fell due at once, in more than one chunk', async () => {
    const seed = await make(14, { publishDate: '2026-03-20' });
    const collection = jobs.mongo.collection<{ _id: number }>('jobs');
    const stored = await collection.findOne({ _id: seed.id });
    await collection.insertMany(Array.from({ length: 2500 }, (_, n) => ({ ...stored, _id: 1_000_000 + n })));
    jobs.clock.set('2026-03-19T12:00:00Z');
    const { paging } = await jobs.list(14, { 'status.id': 1 }, asCompany(14));
    expect(paging?.total).toBe(2501);
  });
});

describe('equal lists that many ask for at once', () => {
  it('show each what was written before it was asked for', async () => {
    const lists = Array.from({ length: 40 }, async () => {
      const { id } = await make(19);
      const { data, paging } = await jobs.list(19, {}, asCompany(19));
      return { isShown: data.some((job) => job.id === id), isCounted: paging?.total === data.length };
    });
    expect(new Set((await Promise.all(lists)).map((found) => JSON.stringify(found)))).toEqual(
      new Set([JSON.stringify({ isShown: true, isCounted: true })]),
    );
  });

  it('settle what is due, and show it settled', async () => {
    const published = await make(20, { publishDate: '2026-03-12' });
    jobs.clock.set('2026-03-11T12:00:00Z');
    const lists = await Promise.all(
      Array.from({ length: 20 }, () => jobs.list(20, { 'status.id': 1 }, asCompany(20))),
    );
    for (const { data } of lists) expect(data.map(({ id }) => id)).toEqual([published.id]);
  });
});

describe('listJobs refuses', () => {
  it('a company that is not granted', async () => {
    expect((await refusalOf(jobs.list(3))).code).toBe('company_forbidden');
  });

  it.each([{ pageSize: 0 }, { pageSize: 1001 }, { page: 0 }, { 'status.id': 4 as 1 }])(
    '%j',
    async (params) => {
      const refusal = await refusalOf(jobs.list(1, params));
      expect(refusal.code).toBe('invalid_parameter');
      expect(refusal.errors).toMatchObject([{ parameter: Object.keys(params)[0] }]);
    },
  );
});
