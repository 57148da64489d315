import { applyCounts, findExistingJobs, jobTypes, listJobTypes } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newJob, runJobs, type RunningJobs } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());

const ask = <B>(body: B) => ({ body, context: ownCall(5000) });
const apply = async (jobId: number, view: number, application: number, clickThrough: number) =>
  (await jobs.bus.request(applyCounts, ask({ counts: [{ jobId, view, application, clickThrough }] }))).data
    .unknown;

describe('applyCounts', () => {
  it('raises the counts, in any order and however often, and leaves the version', async () => {
    const { id } = (await jobs.create(newJob())).data;
    await apply(id, 5, 1, 0);
    await apply(id, 3, 2, 0);
    expect(await apply(id, 5, 1, 0)).toEqual([]);
    const counts = { viewCount: 5, applicationCount: 2, clickThroughCount: 0 };
    expect(await jobs.get(id)).toMatchObject({ version: 1, data: counts });
    expect((await jobs.list(1)).data.find((header) => header.id === id)).toMatchObject(counts);
  });

  it('survives a change of the job', async () => {
    const { id } = (await jobs.create(newJob())).data;
    await apply(id, 5, 0, 0);
    expect((await jobs.update(id, { title: 'x', viewCount: 0 })).data.viewCount).toBe(5);
    expect((await jobs.get(id)).data.viewCount).toBe(5);
  });

  it('names the jobs that do not exist', async () => {
    expect(await apply(2_000_000_000, 1, 0, 0)).toEqual([2_000_000_000]);
    expect((await jobs.bus.request(applyCounts, ask({ counts: [] }))).data.unknown).toEqual([]);
  });
});

describe('findExistingJobs', () => {
  it('names those that exist', async () => {
    const { id } = (await jobs.create(newJob())).data;
    const { data } = await jobs.bus.request(findExistingJobs, ask({ ids: [id, 2_000_000_000] }));
    expect(data.ids).toEqual([id]);
  });
});

describe('listJobTypes', () => {
  it('lists the fixed types', async () => {
    expect((await jobs.bus.request(listJobTypes, { context: ownCall(5000) })).data).toEqual(jobTypes);
  });
});
