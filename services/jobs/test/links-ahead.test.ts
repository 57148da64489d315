import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newJob, runJobs, type RunningJobs } from './running-jobs.ts';

let jobs: RunningJobs;
beforeEach(async () => {
  jobs = await runJobs();
});
afterEach(() => jobs.stop());

/** Made one after the other, so that links can be made ahead of them. */
async function make(count: number) {
  const made = [];
  for (let n = 0; n < count; n++) made.push((await jobs.create(newJob())).data);
  return made;
}
const asked = () => jobs.peers.linkGroups.flatMap(({ jobIds }) => jobIds).length;

describe('a job whose link was made ahead', () => {
  it('has its own link, for good, and asks for no other', async () => {
    const asked: unknown[] = [];
    jobs.peers.linkFault = (jobId) => Promise.resolve(void asked.push(jobId));
    const made = await make(60);
    expect(new Set(asked).size).toBe(asked.length);
    for (const { id, url } of made) expect(url).toBe(`https://s.example/${id}`);
    expect(made.filter(({ id }) => jobs.peers.linksAhead.has(id)).length).toBeGreaterThan(30);
    expect(await jobs.mongo.collection('jobs').countDocuments({ linkPending: true })).toBe(0);
  });

  it('loses it when it is deleted', async () => {
    const made = await make(60);
    const ahead = made.findLast(({ id }) => jobs.peers.linksAhead.has(id));
    if (!ahead) throw new Error('no link was made ahead');
    await jobs.remove(ahead.id);
    expect(jobs.peers.links.has(ahead.id)).toBe(false);
  });

  it('loses it when it is not made after all', async () => {
    const made = await make(60);
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
    jobs.peers.linksFinal = true;
    const made = await make(20);
    for (const { id, url } of made) expect(url).toBe(`https://s.example/${id}`);
    expect(asked()).toBe(0);
    expect(jobs.peers.linksAhead.size).toBe(0);
  });
});
