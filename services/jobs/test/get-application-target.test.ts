import { getApplicationTarget } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newJob, refusalOf, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
beforeEach(() => jobs.clock.set(START));

/** As `applications` asks: without a principal. */
const targetOf = async (id: number) =>
  (await jobs.bus.request(getApplicationTarget, { params: { id }, context: ownCall(5000) })).data;

describe('getApplicationTarget reads', () => {
  it('a published job with the addresses that get copies, and nothing else of it', async () => {
    const applicationEmails = ['first@example.com', 'second@example.com'];
    const { data } = await jobs.create(newJob({ referenceId: 'welder-1', city: 'Leeds', applicationEmails }));
    expect(await targetOf(data.id)).toEqual({
      id: data.id,
      company: { id: 1, name: 'Company 1' },
      referenceId: 'welder-1',
      title: 'Welder',
      status: { id: 1, name: 'Published' },
      applicantRoutingType: { id: 1, name: 'Default' },
      applicationEmails,
      applicationUrl: null,
    });
  });

  it('the URL of a job with routing Click-through', async () => {
    const applicationUrl = 'https://apply.example.com/welder?from=list';
    const { data } = await jobs.create(newJob({ applicantRoutingType: { id: 2 }, applicationUrl }));
    expect(await targetOf(data.id)).toMatchObject({
      referenceId: null,
      applicantRoutingType: { id: 2, name: 'Click-through' },
      applicationEmails: [],
      applicationUrl,
    });
  });

  it('Closed as soon as the clock says so, before the transition is stored', async () => {
    const { data } = await jobs.create(newJob({ closeDate: '2026-03-12' }));
    const stored = jobs.mongo.collection<{ _id: number }>('jobs');
    // The background task finds due jobs by this field: without it, the transition stays unstored.
    await stored.updateOne({ _id: data.id }, { $unset: { nextTransitionAt: 1 } });
    jobs.clock.set('2026-03-12T11:59:59.999Z');
    expect((await targetOf(data.id)).status).toEqual({ id: 1, name: 'Published' });
    jobs.clock.set('2026-03-12T12:00:00Z');
    expect((await targetOf(data.id)).status).toEqual({ id: 2, name: 'Closed' });
    expect(await stored.findOne({ _id: data.id })).toMatchObject({ statusId: 1 });
  });
});

describe('getApplicationTarget › job_not_found', () => {
  it('for an unknown id', async () => {
    expect((await refusalOf(targetOf(2_000_000_000))).code).toBe('job_not_found');
  });

  it('for a deleted job', async () => {
    const { data } = await jobs.create(newJob());
    await jobs.remove(data.id);
    expect((await refusalOf(targetOf(data.id))).code).toBe('job_not_found');
  });
});
