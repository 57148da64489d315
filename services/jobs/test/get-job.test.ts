import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { caller, newJob, refusalOf, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
beforeEach(() => jobs.clock.set(START));

describe('getJob reads', () => {
  it('the job with its version', async () => {
    const { data } = await jobs.create(newJob({ city: 'Leeds' }));
    const reply = await jobs.get(data.id);
    expect(reply).toMatchObject({ outcome: 'ok', version: 1, data, warnings: [] });
    // `id` names a created resource. A job that is read has its id in its data.
    expect(reply.id).toBeUndefined();
  });

  it('the status that the clock gives, and the same version before and after it is stored', async () => {
    const dates = { publishDate: '2026-03-20', closeDate: '2026-03-25' };
    const { data } = await jobs.create(newJob(dates));
    expect(data).toMatchObject({ status: { id: 3 }, displayDate: '2026-03-20' });

    jobs.clock.set('2026-03-19T12:00:00Z');
    expect(await jobs.get(data.id)).toMatchObject({ version: 2, data: { status: { id: 1 } } });

    jobs.clock.set('2026-04-01T00:00:00Z');
    const derived = await jobs.get(data.id);
    expect(derived).toMatchObject({ version: 3, data: { status: { id: 2 }, displayDate: '2026-03-25' } });
    const stored = () => jobs.mongo.collection<{ _id: number }>('jobs').findOne({ _id: data.id, version: 3 });
    await waitFor(stored, { what: 'the stored transition' });
    expect(await jobs.get(data.id)).toEqual(derived);
  });

  it('a draft that an operator imported, whatever its dates', async () => {
    const { data } = await jobs.create(newJob());
    await jobs.mongo
      .collection<{ _id: number }>('jobs')
      .updateOne({ _id: data.id }, { $set: { statusId: 5 } });
    expect((await jobs.get(data.id)).data.status).toEqual({ id: 5, name: 'Draft' });
  });
});

describe('getJob › internal', () => {
  it('for a document that is not a job, and not for other requests of its batch', async () => {
    const { data } = await jobs.create(newJob());
    const broken = { _id: 1_999_999_999, companyId: 1 };
    await jobs.mongo.collection<{ _id: number }>('jobs').insertOne(broken);
    const [failed, ...others] = await Promise.all([
      refusalOf(jobs.get(broken._id)),
      ...Array.from({ length: 10 }, () => jobs.get(data.id)),
    ]);
    expect(failed.code).toBe('internal');
    expect(others.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 10 }, () => 'ok'));
    await jobs.mongo.collection<{ _id: number }>('jobs').deleteOne({ _id: broken._id });
  });
});

describe('getJob does not find', () => {
  it("an unknown id, and another company's", async () => {
    const { data } = await jobs.create(newJob());
    expect((await refusalOf(jobs.get(2_000_000_000))).code).toBe('job_not_found');
    expect((await refusalOf(jobs.get(data.id, caller([2])))).code).toBe('job_not_found');
    expect((await refusalOf(jobs.get(data.id, { ...caller(), principal: undefined }))).code).toBe(
      'job_not_found',
    );
  });

  it.each([1.5, 2 ** 31])('%d, which is no Int32', async (id) => {
    expect((await refusalOf(jobs.get(id))).code).toBe('invalid_parameter');
  });
});
