import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { newJob, runJobs, type RunningJobs } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());

describe('a job without a short link', () => {
  it('gets one later, and a new version with it', async () => {
    jobs.peers.linksFinal = false;
    const made = await Promise.all(Array.from({ length: 50 }, () => jobs.create(newJob())));
    const ids = made.map(({ data }) => data.id);
    for (const { data } of made) expect(data.url).toBe(`https://search.example.com/Share/Job${data.id}`);
    jobs.peers.linksFinal = true;
    const pending = () => jobs.mongo.collection('jobs').countDocuments({ linkPending: true });
    await waitFor(async () => (await pending()) === 0, { what: 'the links' });
    const read = await Promise.all(ids.map((id) => jobs.get(id)));
    for (const { data, version } of read) {
      expect(data.url).toBe(`https://s.example/${data.id}`);
      expect(version).toBe(2);
    }
  });
});
