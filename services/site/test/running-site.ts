import {
  type BodyOf,
  type JobChanged,
  jobClosed,
  jobCreated,
  jobDeleted,
  jobPublished,
  jobUpdated,
  type PublicJob,
  readPublicJobs,
} from '@joblisting/contracts';
import type { Log } from '@joblisting/service-kit';
import { freePort, testClock, waitFor } from '@joblisting/testing';
import { runService, standIn } from '@joblisting/testing/system';
import { siteService } from '../src/index.ts';
import type { PostingDocument } from '../src/models/posting.ts';

/** When tests start, unless they move the clock. */
export const START = '2026-03-10T15:15:00Z';

const events = {
  created: jobCreated,
  updated: jobUpdated,
  published: jobPublished,
  closed: jobClosed,
  deleted: jobDeleted,
} as const;

/** A published job as `jobs` shows it. */
export const publicJob = (id: number, more: Partial<PublicJob> = {}): PublicJob => ({
  id,
  referenceId: null,
  company: { id: 1, name: 'Company 1' },
  employer: null,
  title: 'Welder',
  displayDate: '2026-03-01',
  closeDate: null,
  city: 'Leeds',
  province: { id: null, name: null, country: { id: 826, name: 'United Kingdom' } },
  categories: [{ id: 1, name: 'Skilled Trades' }],
  types: [{ id: 1, name: 'Full-time' }],
  description: '<p>Weld.</p>',
  descriptionFormat: 'html',
  applicantRoutingType: { id: 1, name: 'Default' },
  applicationUrl: null,
  url: `http://localhost/s/${id}`,
  version: 1,
  closesAt: null,
  ...more,
});

export type RunningSite = Awaited<ReturnType<typeof runSite>>;

/** As a browser calls itself. */
export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** The site with a stand-in of `jobs`, which shows what `published` holds, two jobs a page. */
export async function runSite(
  env: Record<string, string> = {},
  { log, jobsAtStart = [] }: { readonly log?: Log; readonly jobsAtStart?: readonly PublicJob[] } = {},
) {
  const published = new Map(jobsAtStart.map((job) => [job.id, job]));
  const reads: BodyOf<typeof readPublicJobs>[] = [];
  const jobs = standIn(readPublicJobs, async ({ body }) => {
    reads.push(body);
    const { ids, companyId, after = 0 } = body;
    const matching = [...published.values()]
      .filter(
        ({ id, company }) =>
          id > after && (ids?.includes(id) ?? true) && (companyId ?? company.id) === company.id,
      )
      .toSorted((a, b) => a.id - b.id);
    const page = matching.slice(0, 2);
    return { data: { jobs: page, next: matching.length > 2 ? (page.at(-1)?.id ?? null) : null } };
  });
  const port = await freePort();
  const running = await runService(siteService, {
    standIns: [jobs],
    clock: testClock(START),
    ...(log && { log }),
    env: { PORT: String(port), SEARCH_URL: `http://localhost:${port}`, DRAIN_MS: '0', ...env },
  });
  const origin = `http://localhost:${port}`;
  const stored = (id: number) =>
    running.mongo
      .collection<Pick<PostingDocument, '_id' | 'state' | 'version' | 'companyName'>>('postings')
      .findOne({ _id: id });
  let messages = 0;
  const tell = async (kind: keyof typeof events, changed: Partial<JobChanged> & { jobId: number }) => {
    const payload = { companyId: 1, version: 1, statusId: 1, at: START, ...changed } as const;
    await running.bus.publishEvent(events[kind], payload, `message-${messages++}`);
  };
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, { headers, redirect: 'manual' });
  const statusOf = async (path: string): Promise<number> => {
    const response = await get(path);
    await response.body?.cancel();
    return response.status;
  };
  return {
    ...running,
    origin,
    published,
    reads,
    tell,
    get,
    statusOf,
    stored,
    /** Waits until the page of the job has this status. */
    untilJob: (id: number, status: number) =>
      waitFor(async () => (await statusOf(`/Share/Job${id}`)) === status, {
        what: `status ${status} of job ${id}`,
      }),
    /** Publishes jobs, and waits until the site shows all of them. */
    publishAll: async (jobs: readonly PublicJob[]) => {
      for (const job of jobs) published.set(job.id, job);
      for (const job of jobs)
        await tell('created', { jobId: job.id, version: job.version, companyId: job.company.id });
      for (const job of jobs)
        await waitFor(async () => (await stored(job.id))?.version === job.version, { what: `job ${job.id}` });
    },
    untilClosed: (id: number) =>
      waitFor(async () => (await stored(id))?.state === 'closed', { what: `the end of job ${id}` }),
    /** Publishes a job, and waits until the site shows it. */
    publish: async (job: PublicJob) => {
      published.set(job.id, job);
      await tell('created', { jobId: job.id, version: job.version, companyId: job.company.id });
      await waitFor(async () => (await stored(job.id))?.version === job.version, { what: `job ${job.id}` });
    },
  };
}
