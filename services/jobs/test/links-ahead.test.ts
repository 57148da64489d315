import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { newJob, runJobs, type RunningJobs } from './running-jobs.ts';

let jobs: RunningJobs;
beforeEach(async () => {
  jobs = await runJobs();
});
afterEach(() => jobs.stop());

/** Some at once after some others, so that links can be made ahead. */
async function make(count: number) {
  const made = [];
  while (made.length < count) {
    const some = await Promise.all(Array.from({ length: 20 }, () => jobs.create(newJob())));
    made.push(...some.map(({ data }) => data));
  }
  return made;
}

describe('a job whose link was made ahead', () => {
  it('has its own link, for good, and asks for no other', async () => {
    const asked: unknown[] = [];
    jobs.peers.linkFault = (jobId) => Promise.resolve(void asked.push(jobId));
    const made = await make(100);
    expect(new Set(asked).size).toBe(asked.length);
    for (const { id, url } of made) expect(url).toBe(`https://s.example/${id}`);
    expect(made.filter(({ id }) => jobs.peers.linksAhead.has(id)).length).toBeGreaterThan(20);
    expect(await jobs.mongo.collection('jobs').countDocuments({ linkPending: true })).toBe(0);
  });

  it('loses it when it is deleted', async () => {
    const made = await make(100);
    const ahead = made.findLast(({ id }) => jobs.peers.linksAhead.has(id));
    if (!ahead) throw new Error('no link was made ahead');
    await jobs.remove(ahead.id);
    expect(jobs.peers.links.has(ahead.id)).toBe(false);
  });

  it('loses it when it is not made after all', async () => {
    const made = await make(100);
    jobs.peers.categories.clear();
    const before = [...jobs.peers.links];
    const refused = jobs.create(newJob({ categories: [{ id: 1 }] }));
    await expect(refused).rejects.toMatchObject({ code: 'validation_failed' });
    const gone = before.filter((id) => !jobs.peers.links.has(id));
    expect(gone.length).toBe(1);
    expect(made.map(({ id }) => id)).not.toContain(gone[0]);
  });
});

describe('jobs while links cannot be made ahead', () => {
  it('ask for theirs themselves', async () => {
    jobs.peers.linksFinal = false;
    await make(20);
    await waitFor(() => jobs.peers.askedAhead > 0, { what: 'links to be asked for ahead' });
    jobs.peers.linksFinal = true;
    const made = await make(40);
    for (const { id, url } of made) expect(url).toBe(`https://s.example/${id}`);
    expect(jobs.peers.askedAhead).toBe(1);
    expect(jobs.peers.linksAhead.size).toBe(0);
  });
});
