import { describe, expect, it } from '@jest/globals';
import { createLog } from '@joblisting/service-kit';
import { auditLists } from '../src/background/audit-lists.ts';
import { createIndexes } from '../src/store/collections.ts';
import { listRecount } from '../src/store/list-recount.ts';
import { countedLists, neverStopping } from './counted-lists.ts';
import { expectExactCounts } from './list-counts.ts';
import { type Stored, storedJobs } from './stored-jobs.ts';

const { mongo, jobs, countingBy, countAll, total } = countedLists('list-recounts');
const { fill, move, remove } = storedJobs(mongo);

describe('counts are made anew', () => {
  const restart = () => listRecount(mongo()).prepare();

  it('where a service starts on jobs that were never counted, and lists are right until then', async () => {
    await mongo().dropCollection('list_totals');
    await mongo().dropCollection('list_days');
    await jobs().updateMany({}, { $unset: { counted: '', miscounted: '' } });
    await fill(30, 1200);
    await createIndexes(mongo());
    await restart();
    expect(await total(30)).toBe(1200);
    await countAll();
    await expectExactCounts(mongo(), 30);
  });

  it('where the counts were thrown away, by whichever replica is first', async () => {
    const made = await fill(31, 400);
    await countAll();
    for (const job of made.slice(0, 30)) await move(job);
    for (const job of made.slice(30, 60)) await remove(job);
    await mongo().dropCollection('list_totals');
    await mongo().dropCollection('list_days');
    expect(await total(31)).toBe(370);
    await createIndexes(mongo());
    await Promise.all([restart(), restart()]);
    expect(await total(31)).toBe(370);
    await Promise.all([countAll(), countingBy(mongo())()]);
    await countAll();
    await expectExactCounts(mongo(), 31);
    expect(await total(31)).toBe(370);
  });

  it('of jobs too that have moved before they were made, and lists are right until then', async () => {
    const [moved] = (await fill(35, 20)) as [Stored];
    await countAll();
    await move(moved);
    const recount = listRecount(mongo());
    await recount.order(35);
    const ordered = await recount.next();
    if (ordered) await recount.forget(ordered);
    expect(await total(35)).toBe(20);
    await countAll();
    await expectExactCounts(mongo(), 35);
    expect(await total(35)).toBe(20);
  });

  it('later than the last time, whatever the clock says', async () => {
    const [{ _id: _, ...job }] = (await fill(34, 20)) as [Stored];
    const recount = listRecount(mongo());
    await recount.order(34);
    const since = new Date(Date.now() + 3600_000);
    await mongo().collection<{ _id: number }>('list_totals').updateOne({ _id: 34 }, { $set: { since } });
    await countAll();
    await recount.order(34);
    expect(await recount.next()).toEqual({ companyId: 34, since: new Date(since.getTime() + 1) });
    await fill(34, 1, job);
    expect(await total(34)).toBe(21);
    await countAll();
    await expectExactCounts(mongo(), 34);
    expect(await total(34)).toBe(21);
  });

  it('where an earlier release has moved or deleted jobs, once the audit sees it', async () => {
    const [first, second, third] = (await fill(32, 50, { statusId: 1 })) as [Stored, Stored, Stored];
    await countAll();
    await jobs().updateOne({ _id: first._id }, { $set: { statusId: 2 } });
    await jobs().deleteOne({ _id: second._id });
    const copied = (await jobs().findOne({ _id: third._id })) as Stored;
    await jobs().insertOne({ ...copied, _id: 1_000_000 });
    const recount = listRecount(mongo());
    expect((await recount.audit(32)).isRight).toBe(false);
    const audit = auditLists(recount, neverStopping, createLog('jobs', 'silent'));
    expect(await audit()).toBeUndefined();
    await countAll();
    await expectExactCounts(mongo(), 32);
    expect(await total(32, 1)).toBe(49);
    // What was wrong last time may be wrong again: only after a time through all that were right is it idle.
    expect(await audit()).toBe('idle');
    await jobs().deleteOne({ _id: third._id });
    expect(await audit()).toBeUndefined();
  });

  it('not where they are right', async () => {
    await fill(33, 60);
    await countAll();
    for (const job of await fill(33, 1)) await move(job);
    expect(await listRecount(mongo()).audit(33)).toEqual({ isRight: true, jobs: 61 });
  });
});
