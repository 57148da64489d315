import type { applyCounts, findExistingJobs } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CountStore } from '../store/count-store.ts';
import type { ListStore } from '../store/list-store.ts';

/** Raises the counts of jobs, and names those that do not exist. */
export const applyCountsHandler =
  (counts: CountStore, lists: ListStore): Handler<typeof applyCounts> =>
  async ({ body }) => {
    if (await counts.raise(body.counts)) return { data: { unknown: [] } };
    const ids = [...new Set(body.counts.map(({ jobId }) => jobId))];
    const existing = new Set(await lists.existing(ids));
    return { data: { unknown: ids.filter((id) => !existing.has(id)) } };
  };

/** Says which of these jobs exist. */
export const findExistingJobsHandler =
  (lists: ListStore): Handler<typeof findExistingJobs> =>
  async ({ body }) => ({ data: { ids: await lists.existing(body.ids) } });
