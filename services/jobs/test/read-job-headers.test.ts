import { type BodyOf, readJobHeaders } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newJob, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
beforeEach(() => jobs.clock.set(START));

/** As `events` asks: without a principal. */
const read = async (body: BodyOf<typeof readJobHeaders>) =>
  (await jobs.bus.request(readJobHeaders, { params: {}, body, context: ownCall(5000) })).data.jobs;
const create = async (more: Record<string, unknown> = {}) => (await jobs.create(newJob(more))).data.id;

describe('readJobHeaders by ids', () => {
  it('has the header of a job with its dates and version, and no description', async () => {
    const id = await create({ referenceId: 'welder-1', closeDate: '2026-03-12' });
    await jobs.update(id, { title: 'Fitter' });
    expect(await read({ ids: [id] })).toEqual([
      {
        id,
        referenceId: 'welder-1',
        company: { id: 1, name: 'Company 1' },
        employer: null,
        title: 'Fitter',
        displayDate: '2026-03-01',
        city: null,
        province: null,
        status: { id: 1, name: 'Published' },
        viewCount: 0,
        applicationCount: 0,
        clickThroughCount: 0,
        publishDate: '2026-03-01',
        closeDate: '2026-03-12',
        version: 2,
      },
    ]);
  });

  it('has the status of now, whether or not its transition is stored', async () => {
    const id = await create({ closeDate: '2026-03-11' });
    jobs.clock.set('2026-03-11T12:00:00Z');
    const [job] = await read({ ids: [id] });
    expect([job?.status.id, job?.displayDate, job?.version]).toEqual([2, '2026-03-11', 2]);
  });

  it('leaves out jobs that do not exist, and those of another company than the one asked for', async () => {
    const own = await create();
    const other = await create({ company: { id: 2 } });
    const deleted = await create();
    await jobs.remove(deleted);
    const ids = [other, own, deleted, 999_999];
    expect((await read({ companyId: 1, ids })).map(({ id }) => id)).toEqual([own]);
    expect((await read({ ids })).map(({ id }) => id)).toEqual([own, other]);
  });
});

describe('readJobHeaders of a company', () => {
  it('has all its jobs in order of id, page by page', async () => {
    const company = { id: 2 };
    const before = (await read({ companyId: 2 })).map(({ id }) => id);
    const created = [
      await create({ company }),
      await create(),
      await create({ company, publishDate: '2026-09-01' }),
    ];
    const all = [...before, created[0], created[2]];
    const first = await read({ companyId: 2, limit: all.length - 1 });
    const rest = await read({ companyId: 2, after: first.at(-1)?.id ?? 0, limit: 10 });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(all);
  });
});
