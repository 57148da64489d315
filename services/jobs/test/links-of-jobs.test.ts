import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { caller, newJob, refusalOf, runJobs, type RunningJobs } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
beforeEach(() => {
  jobs.peers.linkFault = () => Promise.resolve();
  jobs.peers.beforeAcquire = () => Promise.resolve();
  jobs.peers.linksFinal = true;
});

const fallbackOf = (id: number) => `https://search.example.com/Share/Job${id}`;

const hasNoPending = async () =>
  (await jobs.mongo.collection('jobs').countDocuments({ linkPending: true })) === 0;

describe('the link of a new job', () => {
  it('is requested once, for this job', async () => {
    const requested: (number | undefined)[] = [];
    jobs.peers.linkFault = (jobId) => Promise.resolve(void requested.push(jobId));
    const { data } = await jobs.create(newJob());
    expect(data.url).toBe(`https://s.example/${data.id}`);
    expect(requested).toEqual([data.id]);
  });

  it('is not waited for while shortlink is slow', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    jobs.peers.linkFault = () => answered;
    const { data } = await jobs.create(newJob());
    expect(data.url).toBe(fallbackOf(data.id));
    answer();
  });

  it('is not requested if the job is refused', async () => {
    await waitFor(hasNoPending, { what: 'the links of the other jobs' });
    let requests = 0;
    jobs.peers.linkFault = () => Promise.resolve(void requests++);
    await refusalOf(jobs.create(newJob({ categories: [{ id: 77 }] })));
    await refusalOf(jobs.create(newJob({ company: { id: 999 } }), caller([999])));
    expect(requests).toBe(0);
  });
});

describe('a job without a short link', () => {
  it('gets one later, and a new version with it', async () => {
    jobs.peers.linksFinal = false;
    const created = await Promise.all(Array.from({ length: 50 }, () => jobs.create(newJob())));
    const ids = created.map(({ data }) => data.id);
    for (const { data } of created) expect(data.url).toBe(fallbackOf(data.id));
    jobs.peers.linksFinal = true;
    await waitFor(hasNoPending, { what: 'short links of all jobs' });
    for (const { data, version } of await Promise.all(ids.map((id) => jobs.get(id)))) {
      expect(data.url).toBe(`https://s.example/${data.id}`);
      expect(version).toBe(2);
    }
  });
});
