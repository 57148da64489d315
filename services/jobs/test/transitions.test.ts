import { schedulerStream, transitionDue } from '@joblisting/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { collectJobEvents } from './job-events.ts';
import { caller, newJob, refusalOf, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
let events: ReturnType<typeof collectJobEvents>;

beforeAll(async () => {
  jobs = await runJobs();
  events = collectJobEvents(jobs.bus);
});
afterAll(async () => {
  await events.stop();
  await jobs.stop();
});
beforeEach(() => jobs.clock.set(START));

const storedAt = (id: number, version: number) =>
  waitFor(() => jobs.mongo.collection<{ _id: number }>('jobs').findOne({ _id: id, version }), {
    what: `version ${version} of job ${id}`,
  });

describe('transitions', () => {
  it('are stored without any request, each with its event', async () => {
    const { id } = (await jobs.create(newJob({ publishDate: '2026-03-20', closeDate: '2026-03-25' }))).data;
    jobs.clock.set('2026-03-19T12:00:00Z');
    await storedAt(id, 2);
    jobs.clock.set('2026-03-25T12:00:00Z');
    await storedAt(id, 3);
    await events.arrived(id, 3);
    expect(events.of(id).slice(1)).toEqual([
      { kind: 'published', jobId: id, companyId: 1, version: 2, statusId: 1, at: '2026-03-19T12:00:00.000Z' },
      { kind: 'closed', jobId: id, companyId: 1, version: 3, statusId: 2, at: '2026-03-25T12:00:00.000Z' },
    ]);
  });

  it('are both published after a pause of days', async () => {
    const { id } = (await jobs.create(newJob({ publishDate: '2026-03-20', closeDate: '2026-03-25' }))).data;
    jobs.clock.set('2026-06-01T00:00:00Z');
    expect(await events.arrived(id, 3)).toEqual([
      ['created', 1, 3],
      ['published', 2, 1],
      ['closed', 3, 2],
    ]);
  });

  it('that have come are stored before a change of the job, at their own versions', async () => {
    const { id } = (await jobs.create(newJob({ publishDate: '2026-03-20' }))).data;
    jobs.clock.set('2026-03-22T00:00:00Z');
    const { version } = await jobs.update(id, { status: { id: 2 } });
    expect(version).toBe(3);
    expect(await events.arrived(id, 3)).toEqual([
      ['created', 1, 3],
      ['published', 2, 1],
      ['closed', 3, 2],
    ]);
  });

  it('that have come are stored before a job is deleted', async () => {
    const { id } = (await jobs.create(newJob({ publishDate: '2026-03-20', closeDate: '2026-03-25' }))).data;
    jobs.clock.set('2026-03-26T00:00:00Z');
    await jobs.remove(id);
    expect(await events.arrived(id, 4)).toEqual([
      ['created', 1, 3],
      ['published', 2, 1],
      ['closed', 3, 2],
      ['deleted', 4, 2],
    ]);
  });

  it('are settled when the scheduler says that an instant has come', async () => {
    await jobs.bus.ensureStream(schedulerStream);
    const { id } = (await jobs.create(newJob({ publishDate: '2026-03-20' }))).data;
    jobs.clock.set('2026-03-19T12:00:00Z');
    await jobs.bus.publishEvent(transitionDue, { instant: '2026-03-19T12:00:00Z' }, 'transition:1');
    await storedAt(id, 2);
  });
});

describe('If-Match just after noon', () => {
  const only = (version: number) => ({ any: false, versions: [version] });
  const pending = () => newJob({ publishDate: '2026-03-20' });

  it.each<[string, (id: number, ifMatch: ReturnType<typeof only>) => Promise<unknown>]>([
    ['PUT', (id, ifMatch) => jobs.update(id, { city: 'Leeds' }, caller(), ifMatch)],
    ['DELETE', (id, ifMatch) => jobs.remove(id, caller(), ifMatch)],
  ])('%s takes the version that GET shows, and no older one', async (_method, write) => {
    const { id } = (await jobs.create(pending())).data;
    jobs.clock.set('2026-03-19T12:00:00.001Z');
    const { version } = await jobs.get(id);
    expect(version).toBe(2);
    expect(await refusalOf(write(id, only(1)))).toMatchObject({ code: 'version_mismatch' });
    await write(id, only(2));
  });
});

describe('transitions by several replicas', () => {
  it('are applied once, each with one event', async () => {
    await jobs.addReplica();
    await jobs.addReplica();
    const body = newJob({ publishDate: '2026-03-20', closeDate: '2026-03-25' });
    const ids: number[] = [];
    // A few at a time: on a slow machine the service rightly refuses 300 at once.
    while (ids.length < 300) {
      const made = await Promise.all(Array.from({ length: 20 }, () => jobs.create(body)));
      ids.push(...made.map(({ data }) => data.id));
    }
    jobs.clock.set('2026-03-19T12:00:00Z');
    for (const id of ids) await events.arrived(id, 2);
    jobs.clock.set('2026-03-25T12:00:00Z');
    for (const id of ids) {
      expect(await events.arrived(id, 3)).toEqual([
        ['created', 1, 3],
        ['published', 2, 1],
        ['closed', 3, 2],
      ]);
    }
  });
});
