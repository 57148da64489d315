import { type BodyOf, readPublicJobs } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newJob, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
beforeEach(() => jobs.clock.set(START));

/** As `site` asks: without a principal. */
const read = async (body: BodyOf<typeof readPublicJobs>) =>
  (await jobs.bus.request(readPublicJobs, { params: {}, body, context: ownCall(5000) })).data;
const create = async (more: Record<string, unknown> = {}) => (await jobs.create(newJob(more))).data.id;

describe('readPublicJobs by ids', () => {
  it('reads a published job without what only its company may see', async () => {
    const applicationEmails = ['first@example.com'];
    const id = await create({ referenceId: 'welder-1', closeDate: '2026-03-12', applicationEmails });
    expect(await read({ ids: [id] })).toEqual({
      jobs: [
        {
          id,
          referenceId: 'welder-1',
          company: { id: 1, name: 'Company 1' },
          employer: null,
          title: 'Welder',
          displayDate: '2026-03-01',
          closeDate: '2026-03-12',
          city: null,
          province: null,
          categories: [],
          types: [],
          description: 'Weld.',
          descriptionFormat: 'text',
          applicantRoutingType: { id: 1, name: 'Default' },
          applicationUrl: null,
          url: expect.any(String),
          version: 1,
          closesAt: '2026-03-12T12:00:00.000Z',
        },
      ],
      next: null,
    });
  });

  it('leaves out pending, closed, deleted and unknown jobs', async () => {
    const published = await create();
    const pending = await create({ publishDate: '2026-04-01' });
    const closed = await create({ closeDate: '2026-03-02' });
    const deleted = await create();
    await jobs.remove(deleted);
    const ids = [pending, published, closed, deleted, 2_000_000_000];
    expect((await read({ ids })).jobs.map(({ id }) => id)).toEqual([published]);
  });

  it('follows the clock before transitions are stored', async () => {
    const opens = await create({ publishDate: '2026-03-12' });
    const closes = await create({ closeDate: '2026-03-11' });
    const idsAt = async (time: string) => {
      jobs.clock.set(time);
      return (await read({ ids: [opens, closes] })).jobs.map(({ id }) => id);
    };
    expect(await idsAt('2026-03-11T11:59:59.999Z')).toEqual([closes]);
    expect(await idsAt('2026-03-11T12:00:00Z')).toEqual([opens]);
  });

  it('reads a large description', async () => {
    const description = 'x'.repeat(100_000);
    const id = await create({ description });
    expect((await read({ ids: [id] })).jobs[0]?.description).toBe(description);
  });
});

describe('readPublicJobs page by page', () => {
  it('reads every published job of a company once, in order of id', async () => {
    const description = 'x'.repeat(400_000);
    const made = [];
    for (let count = 0; count < 7; count += 1) made.push(await create({ company: { id: 2 }, description }));
    const seen: number[] = [];
    let after: number | null = 0;
    let replies = 0;
    while (after !== null) {
      const page: Awaited<ReturnType<typeof read>> = await read({ companyId: 2, after });
      seen.push(...page.jobs.map(({ id }) => id));
      after = page.next;
      replies += 1;
    }
    expect(seen).toEqual(made);
    expect(replies).toBe(3);
  });
});
