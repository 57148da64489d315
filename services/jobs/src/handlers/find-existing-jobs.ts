import type { findExistingJobs } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { ListStore } from '../store/list-store.ts';

/** Says which of these jobs exist. */
export function findExistingJobsHandler(lists: ListStore): Handler<typeof findExistingJobs> {
  return async ({ body }) => ({ data: { ids: await lists.existing(body.ids) } });
}
