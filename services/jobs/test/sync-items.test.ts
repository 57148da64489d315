import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startSync } from '@joblisting/contracts';
import { caller, faultsOf, newJob, refusalOf, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
afterEach(() => jobs.clock.set(START));

const item = (referenceId: string, more: Record<string, unknown> = {}) => newJob({ referenceId, ...more });
const start = async (more: Record<string, unknown> = {}) =>
  (await jobs.startSync({ company: { id: 1 }, ...more })).data.id;

describe('startSync', () => {
  it('answers the report of a sync that is open for 24 hours', async () => {
    const { outcome, id, data } = await jobs.startSync({ company: { id: 1 }, scope: 'A-' });
    expect([outcome, id]).toEqual(['created', data.id]);
    expect(data).toMatchObject({ company: { id: 1 }, scope: 'A-', state: 'open', sent: 0, jobs: [] });
    expect(Date.parse(data.endsAt) - Date.parse(data.startedAt)).toBe(24 * 3600_000);
    expect((await jobs.getSync(data.id)).data).toEqual(data);
  });

  it('starts one sync for one Idempotency-Key', async () => {
    const context = { ...caller(), idempotencyKey: 'sync-1' };
    const first = await jobs.startSync({ company: { id: 1 } }, context);
    const again = await jobs.bus.request(startSync, { body: { company: { id: 1 } }, context });
    expect(again).toEqual({ ...first, replayed: true });
  });

  it('403 for a company that is not granted', async () => {
    expect((await refusalOf(jobs.startSync({ company: { id: 3 } }))).code).toBe('company_forbidden');
  });

  it('422 for a company that does not exist', async () => {
    const refusal = await refusalOf(jobs.startSync({ company: { id: 900 } }, caller([900])));
    expect(faultsOf(refusal)).toEqual([['#/company/id', 'unknown_id']]);
  });
});

describe('addSyncItems', () => {
  it('executes items as a batch does, and counts each referenceId once, by what it came to', async () => {
    await jobs.put(item('I-1'));
    await jobs.put(item('I-2'));
    const id = await start();
    const { data } = await jobs.addToSync(id, [
      item('I-1'),
      item('I-2', { city: 'Hull' }),
      item('I-3'),
      item('I-4', { title: '' }),
      item('I-5', { title: '' }),
    ]);
    expect(data.map(({ status }) => status)).toEqual([200, 200, 201, 422, 422]);
    await jobs.addToSync(id, [item('I-2'), item('I-3'), item('I-5')]);
    expect((await jobs.getSync(id)).data).toMatchObject({
      sent: 5,
      unchanged: 1,
      updated: 1,
      created: 2,
      refused: 1,
    });
  });

  it('refuses items of another company or out of scope, and does not count the former', async () => {
    const id = await start({ scope: 'S-' });
    const { data } = await jobs.addToSync(id, [
      item('S-1', { company: { id: 2 } }),
      item('T-1'),
      item('S-2'),
    ]);
    expect(data.map(({ status }) => status)).toEqual([422, 422, 201]);
    expect(data.map(({ error }) => error?.errors[0]?.pointer)).toEqual([
      '#/items/0/company/id',
      '#/items/1/referenceId',
      undefined,
    ]);
    expect((await jobs.getSync(id)).data).toMatchObject({ sent: 2, created: 1, refused: 1 });
  });

  it('counts no item that was not executed', async () => {
    const held = Promise.withResolvers<void>();
    jobs.peers.beforeAcquire = () => held.promise;
    const id = await start();
    const { data } = await jobs.addToSync(id, [item('I-6', { categories: [{ id: 1 }] })], caller([1], 1200));
    expect(data[0]?.status).toBe(504);
    expect((await jobs.getSync(id)).data.sent).toBe(0);
    held.resolve();
    jobs.peers.beforeAcquire = () => Promise.resolve();
  });

  it('answers the same Idempotency-Key again, for each sync by itself', async () => {
    const context = { ...caller(), idempotencyKey: 'items-1' };
    const [one, other] = [await start(), await start()];
    const first = await jobs.addToSync(one, [item('I-7')], context);
    expect((await jobs.addToSync(one, [item('I-7')], context)).replayed).toBe(true);
    expect((await jobs.addToSync(other, [item('I-7')], context)).replayed).toBeUndefined();
    expect(first.data[0]?.status).toBe(201);
  });

  it('409 24 hours after the start', async () => {
    const id = await start();
    jobs.clock.advance(24 * 3600_000);
    expect((await refusalOf(jobs.addToSync(id, [item('I-8')]))).code).toBe('sync_ended');
    expect((await jobs.getSync(id)).data.state).toBe('expired');
    const commit = { expectedCount: 0, missing: 'close', maxMissingPercent: 100 } as const;
    expect((await refusalOf(jobs.commitSync(id, commit))).code).toBe('sync_ended');
  });

  it("404 for another company's sync, as for an unknown one", async () => {
    const id = await start();
    const stranger = caller([2]);
    for (const which of [id, 2_000_000]) {
      expect((await refusalOf(jobs.addToSync(which, [item('I-9')], stranger))).code).toBe('sync_not_found');
      expect((await refusalOf(jobs.getSync(which, stranger))).code).toBe('sync_not_found');
    }
  });
});
