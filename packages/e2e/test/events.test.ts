import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChangedJob, JobChange, LoggedEvent } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { jobBody, makeWorld, startSystem, type System, type World } from '../src/index.ts';

let system: System;
let world: World;
beforeAll(async () => {
  system = await startSystem({ leaveOut: ['site', 'metrics'] });
  world = await makeWorld(system);
}, 120_000);
afterAll(async () => {
  await world?.operator.close();
  await system?.stop();
});

const WRITERS = 6;
const inOrder = (one: string, other: string) => one.localeCompare(other);
const JOBS_OF_ONE = 8;

/** The pages of a list after a cursor, until there are no more. A stopped service is asked again. */
async function* pagesOf(path: string, after?: string) {
  for (let hasMore = true; hasMore;) {
    const query = `company.id=${world.companyId}&limit=7${after === undefined ? '' : `&after=${after}`}`;
    const { status, json } = await world.api.get(`${path}?${query}`);
    if (status === 503 || status === 504) continue;
    expect(status).toBe(200);
    yield json;
    ({ next: after, hasMore } = json.paging);
  }
}

/** A copy of the jobs that knows only cursors. */
function copyOfJobs() {
  const jobs = new Map<number, ChangedJob>();
  let after: string | undefined;
  const apply = (change: JobChange) => {
    if ('deleted' in change) jobs.delete(change.id);
    else jobs.set(change.id, change);
  };
  return {
    jobs,
    follow: async () => {
      for await (const { data, paging } of pagesOf('/jobs/changes', after)) {
        for (const change of data) apply(change);
        after = paging.next;
      }
    },
  };
}

/** Creates jobs, changes, closes and deletes some of them. */
async function write(writer: number): Promise<void> {
  for (let no = 0; no < JOBS_OF_ONE; no++) {
    const referenceId = `w${writer}-${no}`;
    const { json } = await world.api.post('/jobs', jobBody(world.companyId, { referenceId }));
    const { id } = json.data;
    await world.api.put(`/jobs/${id}`, { title: `Title ${no}` });
    if (no % 2 === 0) await world.api.put(`/jobs/${id}`, { status: { id: 2 } });
    if (no % 4 === 1) await world.api.delete(`/jobs/${id}`);
  }
}

describe('following cursors', () => {
  it('ends in the state of the jobs, with writers at work and the service killed', async () => {
    const events = system.services.get('events');
    await Promise.all([write(100), write(101)]);
    const early = copyOfJobs();
    const late = copyOfJobs();
    let isWriting = true;
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))).finally(() => {
      isWriting = false;
    });
    const kills = async () => {
      for (let round = 0; round < 3; round++) {
        await early.follow();
        events?.kill('SIGKILL');
        await events?.restart();
      }
    };
    const killing = kills();
    while (isWriting) await Promise.all([early.follow(), late.follow()]);
    await Promise.all([writing, killing]);

    const all: string[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { json } = await world.api.get(`/jobs?company.id=${world.companyId}&pageSize=1000&page=${page}`);
      for (const { id, title, status } of json.data) all.push(`${id} ${title} ${status.name}`);
      ({ pages } = json.paging);
    }
    expect(all).toHaveLength((WRITERS + 2) * JOBS_OF_ONE * 0.75);
    const stateOf = ({ jobs }: ReturnType<typeof copyOfJobs>) =>
      [...jobs].map(([id, { title, status }]) => `${id} ${title} ${status.name}`).toSorted(inOrder);
    for (const copy of [early, late, copyOfJobs()]) {
      const isEqual = async () => {
        await copy.follow();
        return isDeepStrictEqual(stateOf(copy), all.toSorted(inOrder));
      };
      await waitFor(isEqual, { what: 'the copy to equal the jobs', limitMs: 20_000 });
    }
  }, 120_000);

  it('has each version of each job once and in order, without gaps in the numbers', async () => {
    const events: LoggedEvent[] = [];
    for await (const { data } of pagesOf('/events')) events.push(...data);
    const jobEvents = events.filter(({ job }) => job?.version);
    const byJob = Map.groupBy(jobEvents, ({ job }) => job?.id);
    expect(byJob.size).toBe((WRITERS + 2) * JOBS_OF_ONE);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    for (const own of byJob.values())
      expect(own.map(({ job }) => job?.version)).toEqual(own.map((_, index) => index + 1));
    const deleted = events.filter(({ type }) => type === 'job.deleted');
    expect(deleted).toHaveLength((WRITERS + 2) * JOBS_OF_ONE * 0.25);
  });

  it('hears of a change while it waits: of a job, and of a category', async () => {
    const { json: start } = await world.api.get(`/events?company.id=${world.companyId}&limit=1000`);
    const waiting = world.api.get(`/events?company.id=${world.companyId}&wait=20&after=${start.paging.next}`);
    const { json: made } = await world.api.post(
      '/jobs',
      jobBody(world.companyId, { referenceId: 'heard', categories: [{ name: 'Falconry' }] }),
    );
    const first = (await waiting).json;
    const rest = await waitFor(
      async () => {
        const { json } = await world.api.get(
          `/events?company.id=${world.companyId}&after=${start.paging.next}`,
        );
        return json.data.length >= 2 ? (json.data as LoggedEvent[]) : undefined;
      },
      { what: 'both events' },
    );
    expect(first.data.length).toBeGreaterThan(0);
    const ofJob = rest.find(({ type }) => type === 'job.created');
    expect(ofJob?.job).toEqual({ id: made.data.id, referenceId: 'heard', version: 1 });
    expect(rest.find(({ type }) => type === 'category.created')?.data.category?.name).toBe('Falconry');
    // Neither its title nor its description.
    expect(JSON.stringify(rest)).not.toContain(made.data.title);
  });
});
