import { deleteJobByReference } from '@joblisting/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { referencesOf } from './peers.ts';
import { caller, newJob, refusalOf, runJobs, type RunningJobs } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
afterEach(() => {
  jobs.peers.linkFault = () => Promise.resolve();
});

const tombstone = (id: number) =>
  jobs.mongo.collection<{ _id: number; cleaning?: true }>('tombstones').findOne({ _id: id });
const removeByReference = (
  referenceId: string,
  companyId: number,
  ifMatch?: { any: boolean; versions: number[] },
) =>
  jobs.bus.request(deleteJobByReference, {
    params: ifMatch ? { ifMatch } : {},
    body: { referenceId, company: { id: companyId } },
    context: caller(),
  });

describe('deleteJob deletes', () => {
  it('the job with its categories, link and counts', async () => {
    const { id } = (await jobs.create(newJob({ referenceId: 'D-1', categories: [{ id: 1 }, { id: 2 }] })))
      .data;
    expect(await jobs.remove(id)).toMatchObject({ outcome: 'deleted', data: undefined });
    expect((await refusalOf(jobs.get(id))).code).toBe('job_not_found');
    expect(referencesOf(jobs.peers, id)).toEqual([]);
    expect(jobs.peers.links.has(id)).toBe(false);
    expect(jobs.peers.forgotten.has(id)).toBe(true);
    expect(await tombstone(id)).toMatchObject({ companyId: 1, expireAt: expect.any(Date) });
    await jobs.create(newJob({ referenceId: 'D-1' }));
  });

  it('the job while another service is unavailable, and its data there later', async () => {
    const { id } = (await jobs.create(newJob({ categories: [{ id: 3 }] }))).data;
    jobs.peers.linkFault = () => Promise.reject(new Error('away'));
    await jobs.remove(id);
    expect(await tombstone(id)).toMatchObject({ cleaning: true });
    expect(await tombstone(id)).not.toHaveProperty('expireAt');
    expect(jobs.peers.links.has(id)).toBe(true);
    jobs.peers.linkFault = () => Promise.resolve();
    await waitFor(async () => (await tombstone(id))?.cleaning === undefined, { what: 'the clean-up' });
    expect(jobs.peers.links.has(id)).toBe(false);
  });
});

describe('deleteJob refuses', () => {
  it("an unknown job, and another company's", async () => {
    const { id } = (await jobs.create(newJob())).data;
    expect((await refusalOf(jobs.remove(2_000_000_000))).code).toBe('job_not_found');
    expect((await refusalOf(jobs.remove(id, caller([2])))).code).toBe('job_not_found');
  });

  it('a version that the job no longer has', async () => {
    const { id } = (await jobs.create(newJob())).data;
    const refusal = await refusalOf(jobs.remove(id, caller(), { any: false, versions: [4] }));
    expect(refusal.code).toBe('version_mismatch');
    expect((await jobs.remove(id, caller(), { any: false, versions: [1] })).outcome).toBe('deleted');
  });
});

describe('deleteJob against updateJob', () => {
  it('leaves nothing behind, whichever is first', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = (await jobs.create(newJob({ categories: [{ id: 1 }] }))).data;
      const [removed] = await Promise.allSettled([
        jobs.remove(id),
        jobs.update(id, { title: 'x' }),
        jobs.update(id, { city: 'y' }),
      ]);
      expect(removed.status).toBe('fulfilled');
      expect((await refusalOf(jobs.get(id))).code).toBe('job_not_found');
      expect(referencesOf(jobs.peers, id)).toEqual([]);
    }
  });

  it('deletes once, however many requests come at once', async () => {
    const { id } = (await jobs.create(newJob())).data;
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => jobs.remove(id)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('deleteJobByReference', () => {
  it('deletes the job of that company', async () => {
    const one = (await jobs.create(newJob({ referenceId: 'D-2' }))).data;
    const two = (await jobs.create(newJob({ referenceId: 'D-2', company: { id: 2 } }))).data;
    expect((await removeByReference('D-2', 1)).outcome).toBe('deleted');
    expect((await refusalOf(jobs.get(one.id))).code).toBe('job_not_found');
    expect((await jobs.get(two.id)).data.id).toBe(two.id);
  });

  it.each([
    ['an unknown referenceId', 'D-none', 1, undefined, 'job_not_found'],
    ['a company that is not granted', 'D-2', 3, undefined, 'company_forbidden'],
    ['a version that is not there', 'D-2', 2, { any: false, versions: [9] }, 'version_mismatch'],
  ])('refuses %s', async (_what, referenceId, companyId, ifMatch, code) => {
    expect((await refusalOf(removeByReference(referenceId, companyId, ifMatch))).code).toBe(code);
  });
});
