import type { applyCounts, findExistingJobs } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CountStore } from '../store/count-store.ts';
import type { JobStore } from '../store/job-store.ts';

/** Raises the counts of jobs, and names those that do not exist. */
export const applyCountsHandler =
  (counts: CountStore, jobs: JobStore): Handler<typeof applyCounts> =>
  async ({ body }) => {
    if (await counts.raise(body.counts)) return { data: { unknown: [] } };
    const ids = [...new Set(body.counts.map(({ jobId }) => jobId))];
    const existing = new Set(await jobs.existing(ids));
    return { data: { unknown: ids.filter((id) => !existing.has(id)) } };
  };

/** Says which of these jobs exist. */
export const findExistingJobsHandler =
  (jobs: JobStore): Handler<typeof findExistingJobs> =>
  async ({ body }) => ({ data: { ids: await jobs.existing(body.ids) } });
