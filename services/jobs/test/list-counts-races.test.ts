import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { seededRandom, waitFor } from '@joblisting/testing';
import { expectExactCounts } from './list-counts.ts';
import { caller, newJob, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
  await jobs.addReplica();
  await jobs.addReplica();
});
afterAll(() => jobs.stop());
beforeEach(() => jobs.clock.set(START));

const as = (companyId: number) => caller([companyId], 20_000);

/** What the counts say, of one status or of all: a page that is full does not say how long its list is. */
const total = async (companyId: number, status?: 1 | 2 | 3) => {
  const more = { pageSize: 1, ...(status && { 'status.id': status }) };
  return (await jobs.list(companyId, more, as(companyId))).paging?.total;
};

/** One client of a company of its own, and what it knows that it has written. */
async function client(companyId: number, shared: number, steps: number): Promise<void> {
  const random = seededRandom(companyId);
  const below = (limit: number) => Math.floor(random() * limit);
  const open = new Set<number>();
  const closed = new Set<number>();
  const context = caller([companyId, shared], 20_000);
  const make = async (of: number) => (await jobs.create(newJob({ company: { id: of } }), context)).data.id;
  for (let step = 0; step < steps; step++) {
    const id = [...open][below(open.size)];
    const what = below(4);
    if (id === undefined || what < 2) open.add(await make(companyId));
    else if (what === 2) {
      await jobs.update(id, { status: { id: 2 } }, context);
      open.delete(id);
      closed.add(id);
    } else {
      await jobs.remove(id, context);
      open.delete(id);
    }
    const mine = await make(shared);
    if (below(2) === 0) await jobs.update(mine, { publishDate: '2026-02-01' }, context);
    expect(await total(companyId)).toBe(open.size + closed.size);
    if (closed.size > 0) expect(await total(companyId, 2)).toBe(closed.size);
  }
}

describe('totals while many write', () => {
  it('have what each client wrote, at once, and are exact afterwards', async () => {
    const companies = Array.from({ length: 12 }, (_, index) => 100 + index);
    await Promise.all(companies.map((companyId) => client(companyId, 99, 6)));
    expect(await total(99)).toBe(12 * 6);
    for (const companyId of [99, ...companies]) await expectExactCounts(jobs.mongo, companyId);
  }, 120_000);

  it('follow the transitions of noon', async () => {
    const body = newJob({ company: { id: 50 }, publishDate: '2026-03-20', closeDate: '2026-03-25' });
    for (let n = 0; n < 5; n++)
      await Promise.all(Array.from({ length: 10 }, () => jobs.create(body, as(50))));
    await expectExactCounts(jobs.mongo, 50);
    expect([await total(50), await total(50, 3)]).toEqual([50, 50]);
    jobs.clock.set('2026-03-19T12:00:00Z');
    expect([await total(50, 3), await total(50, 1)]).toEqual([0, 50]);
    jobs.clock.set('2026-03-25T12:00:00Z');
    expect([await total(50, 1), await total(50, 2)]).toEqual([0, 50]);
    await expectExactCounts(jobs.mongo, 50);
  }, 60_000);

  it('leave nothing to count', async () => {
    const behind = () => jobs.mongo.collection('tombstones').countDocuments({ uncounted: true });
    await waitFor(async () => (await behind()) === 0, { what: 'deleted jobs to be counted' });
  });
});
