import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { status, type SyncCommit } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { caller, faultsOf, newJob, refusalOf, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
afterEach(() => {
  jobs.clock.set(START);
  jobs.peers.beforeAcquire = () => Promise.resolve();
});

type More = Record<string, unknown>;
let prefixes = 0;
/** Ten jobs of a scope of their own, and a sync that starts a minute after them. */
async function tenJobs() {
  const scope = `C${++prefixes}-`;
  const item = (n: number, more: More = {}) => newJob({ referenceId: `${scope}${n}`, ...more });
  const { data } = await jobs.batch(Array.from({ length: 10 }, (_, n) => item(n)));
  const ids = data.map(({ data: job }) => job?.id ?? 0);
  jobs.clock.advance(60_000);
  const { id } = (await jobs.startSync({ company: { id: 1 }, scope })).data;
  const itemsOf = (numbers: readonly number[], more?: More) => numbers.map((n) => item(n, more));
  const send = (...sent: Parameters<typeof itemsOf>) => jobs.addToSync(id, itemsOf(...sent));
  const statusOf = async (n: number) => (await jobs.get(ids[n] ?? 0)).data.status.id;
  return { scope, item, ids, id, send, statusOf };
}
type StartedSync = Awaited<ReturnType<typeof tenJobs>>;

const forty = Array.from({ length: 40 }, (_, n) => 100 + n);
const entries = () => jobs.mongo.collection<{ _id: string; syncId: number; jobId?: number }>('sync_entries');

/** Makes forty jobs of the scope that were closed before the sync. */
async function makeClosed({ item }: StartedSync) {
  jobs.clock.set(START);
  const made = await jobs.batch(forty.map((n) => item(n)));
  for (const { data: job } of made.data) await jobs.update(job?.id ?? 0, { status: { id: status.closed } });
  jobs.clock.advance(60_000);
}

/** Lets the task finish a commit that was cut off. */
async function resume(id: number) {
  const syncs = jobs.mongo.collection<{ _id: number }>('syncs');
  const decision = { missing: 'close', resumeAt: new Date(), requestedBy: { consumerId: 1, userId: 1 } };
  await syncs.updateOne({ _id: id }, { $set: { state: 'committing', decision } });
  await waitFor(async () => (await jobs.getSync(id)).data.state === 'committed', { what: 'the commit' });
}
const firstEight = [0, 1, 2, 3, 4, 5, 6, 7];
const commit = (expectedCount: number, more: Partial<SyncCommit> = {}): SyncCommit => ({
  expectedCount,
  missing: 'close',
  ...more,
});

describe('commitSync', () => {
  it('closes the jobs that were not sent, and no others', async () => {
    const other = (await jobs.put(newJob({ referenceId: 'other-scope' }))).data.id;
    const without = (await jobs.create(newJob())).data.id;
    const { id, ids, send, statusOf } = await tenJobs();
    await send(firstEight);
    await send([0], { city: 'Hull' });
    const { data } = await jobs.commitSync(id, commit(8));
    expect(data).toMatchObject({ sent: 8, unchanged: 7, updated: 1, closed: 2, missing: 0 });
    expect(data.state).toBe('committed');
    expect(data.jobs.map(({ id: job, outcome }) => [job, outcome])).toEqual([
      [ids[8], 'closed'],
      [ids[9], 'closed'],
    ]);
    expect(await Promise.all(ids.map((_, n) => statusOf(n)))).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2]);
    for (const job of [other, without]) expect((await jobs.get(job)).data.status.id).toBe(1);
  });

  it('deletes them, closed ones too', async () => {
    const { id, ids, send } = await tenJobs();
    jobs.clock.advance(-60_000);
    await jobs.update(ids[9] ?? 0, { status: { id: 2 } });
    jobs.clock.advance(60_000);
    await send(firstEight);
    const { data } = await jobs.commitSync(id, commit(8, { missing: 'delete' }));
    expect(data).toMatchObject({ state: 'committed', deleted: 2, closed: 0 });
    for (const n of [8, 9]) expect((await refusalOf(jobs.get(ids[n] ?? 0))).code).toBe('job_not_found');
  });

  it('keeps them, however many are missing', async () => {
    const { id, send, statusOf } = await tenJobs();
    await send([0]);
    const { data } = await jobs.commitSync(id, commit(1, { missing: 'keep' }));
    expect(data).toMatchObject({ state: 'committed', kept: 9, closed: 0 });
    await expect(statusOf(9)).resolves.toBe(1);
  });

  it('leaves alone, and reports, what others changed or created since the start', async () => {
    const { id, ids, item, send, statusOf } = await tenJobs();
    await jobs.update(ids[9] ?? 0, { city: 'Hull' });
    const { data: fresh } = await jobs.put(item(10));
    await send(firstEight);
    const { data } = await jobs.commitSync(id, commit(8));
    expect(data).toMatchObject({ closed: 1, leftAlone: 2 });
    expect(data.jobs.filter(({ outcome }) => outcome === 'leftAlone').map((job) => job.id)).toEqual(
      expect.arrayContaining([ids[9], fresh.id]),
    );
    await expect(statusOf(9)).resolves.toBe(1);
  });

  it('does not take a job for missing whose item was refused', async () => {
    const { id, send, statusOf } = await tenJobs();
    await send([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    await send([9], { title: '' });
    expect((await jobs.commitSync(id, commit(10))).data).toMatchObject({ refused: 1, closed: 0 });
    await expect(statusOf(9)).resolves.toBe(1);
  });

  it('says who committed it in the changes', async () => {
    const { id, ids, send } = await tenJobs();
    await send(firstEight);
    await jobs.commitSync(id, commit(8));
    const stored = await jobs.mongo.collection('jobs').findOne({ _id: ids[9] as never });
    expect(stored?.['change']).toMatchObject({ kind: 'closed', requestedBy: { consumerId: 1, userId: 1 } });
  });

  it('answers the same report when it is sent again, and 409 for another decision', async () => {
    const { id, send } = await tenJobs();
    await send(firstEight);
    const first = await jobs.commitSync(id, commit(8));
    expect((await jobs.commitSync(id, commit(8))).data).toEqual(first.data);
    const other = commit(8, { missing: 'delete' });
    expect((await refusalOf(jobs.commitSync(id, other))).code).toBe('sync_ended');
    expect((await refusalOf(send([0]))).code).toBe('sync_ended');
  });
});

describe('commitSync refuses, and does nothing', () => {
  it('409 for a wrong count, with the jobs that are missing', async () => {
    const { id, ids, send, statusOf } = await tenJobs();
    await send(firstEight);
    const refusal = await refusalOf(jobs.commitSync(id, commit(9)));
    expect(refusal.code).toBe('sync_refused');
    expect(faultsOf(refusal)).toEqual([
      ['#/expectedCount', 'mismatch'],
      ['#/missing', 'mismatch'],
      ['#/missing', 'mismatch'],
    ]);
    expect(refusal.errors[1]?.detail).toContain(`Job ${ids[8]}`);
    await expect(statusOf(9)).resolves.toBe(1);
    expect((await jobs.getSync(id)).data.state).toBe('open');
  });

  it.each([
    ['20 % by default', {}],
    ['the given part', { maxMissingPercent: 29.9 }],
  ])('409 for more missing than %s', async (_what, more) => {
    const { id, send, statusOf } = await tenJobs();
    await send(firstEight.slice(0, 7));
    const refusal = await refusalOf(jobs.commitSync(id, commit(7, more)));
    expect([refusal.code, faultsOf(refusal)[0]]).toEqual([
      'sync_refused',
      ['#/maxMissingPercent', 'out_of_range'],
    ]);
    await expect(statusOf(9)).resolves.toBe(1);
    expect((await jobs.commitSync(id, commit(7, { maxMissingPercent: 30 }))).data.closed).toBe(3);
  });

  it.each<[string, (sync: StartedSync) => Promise<unknown>]>([
    ['new jobs', ({ send }) => send(forty)],
    ['refused items of unknown jobs', ({ send }) => send(forty, { title: '' })],
    ['closed jobs', (sync) => makeClosed(sync).then(() => sync.send(forty))],
    ['reopened jobs', (sync) => makeClosed(sync).then(() => sync.send(forty, { closeDate: '2099-12-31' }))],
    [
      'new jobs whose outcome was not recorded',
      async ({ id, send }) => {
        await send(forty);
        await entries().deleteMany({ syncId: id });
        await send(forty);
      },
    ],
  ])('409 where %s would hide that all are missing', async (_what, sendOthers) => {
    const sync = await tenJobs();
    await sendOthers(sync);
    const refusal = await refusalOf(jobs.commitSync(sync.id, commit(40)));
    expect(refusal.errors[0]?.detail).toBe('10 of 10 jobs are missing.');
    await expect(sync.statusOf(9)).resolves.toBe(1);
  });

  it('409 by all jobs for a deletion, closed ones too', async () => {
    const sync = await tenJobs();
    await makeClosed(sync);
    await sync.send(firstEight);
    const refusal = await refusalOf(jobs.commitSync(sync.id, commit(8, { missing: 'delete' })));
    expect(refusal.errors[0]?.detail).toBe('42 of 50 jobs are missing.');
  });
});

describe('commitSync cut off', () => {
  it('is finished by the task, by closing each missing job once', async () => {
    const { id, ids, send } = await tenJobs();
    await send(firstEight);
    await resume(id);
    expect((await jobs.getSync(id)).data).toMatchObject({ closed: 2, leftAlone: 0 });
    expect((await jobs.get(ids[9] ?? 0)).version).toBe(2);
  });

  it('counts a job as closed that it had closed before it could note so', async () => {
    const { id, ids, send } = await tenJobs();
    await send(firstEight);
    await jobs.commitSync(id, commit(8));
    await entries().updateMany({ syncId: id, jobId: ids[9] ?? 0 }, { $set: { outcome: 4 } });
    await resume(id);
    expect((await jobs.getSync(id)).data).toMatchObject({ closed: 2, leftAlone: 0, missing: 0 });
    expect((await jobs.get(ids[9] ?? 0)).version).toBe(2);
  });

  it('by its deadline: the report says committing, and the task finishes it', async () => {
    const { id, send } = await tenJobs();
    await send(firstEight);
    const { data } = await jobs.commitSync(id, commit(8), caller([1], 750));
    expect(data.state).toBe('committing');
    await waitFor(async () => (await jobs.getSync(id)).data.state === 'committed', { what: 'the commit' });
    expect((await jobs.getSync(id)).data.closed).toBe(2);
  });
});
