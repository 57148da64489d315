import { checkJobAccess } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { caller, newJob, refusalOf, runJobs, type RunningJobs } from './running-jobs.ts';

let jobs: RunningJobs;
let id: number;
beforeAll(async () => {
  jobs = await runJobs();
  ({ id } = (await jobs.create(newJob())).data);
});
afterAll(() => jobs.stop());

const check = (jobId: number, context = caller()) =>
  jobs.bus.request(checkJobAccess, { params: { id: jobId }, context });

describe('checkJobAccess', () => {
  it('replies with nothing for a job that the keys grant', async () => {
    expect((await check(id)).data).toBeUndefined();
  });

  it('grants a job as soon as it exists, and no longer than it does', async () => {
    const { data } = await jobs.create(newJob());
    await check(data.id);
    await jobs.remove(data.id);
    expect((await refusalOf(check(data.id))).code).toBe('job_not_found');
  });
});

describe('checkJobAccess › job_not_found', () => {
  it.each([
    ['another company', caller([2])],
    ['no company', caller([])],
    ['nobody', ownCall(5000)],
  ])('for a caller of %s, as for a job that never existed', async (_who, context) => {
    const refusal = await refusalOf(check(id, context));
    const unknown = await refusalOf(check(2_000_000_000));
    expect([refusal.code, refusal.message]).toEqual([unknown.code, unknown.message]);
    expect(refusal.code).toBe('job_not_found');
  });

  it('exactly where getJob answers it', async () => {
    const read = await refusalOf(jobs.get(id, caller([2])));
    const checked = await refusalOf(check(id, caller([2])));
    expect([checked.code, checked.message]).toEqual([read.code, read.message]);
  });
});
