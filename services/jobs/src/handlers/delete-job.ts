import type { deleteJob } from '@joblisting/contracts';
import type { Handler, Mutex } from '@joblisting/service-kit';
import type { JobStore } from '../store/job-store.ts';
import type { DeleteJob } from '../use-cases/delete-job.ts';
import { lastStart } from '../use-cases/retry-on-conflict.ts';
import { findOwnJob } from './own-job.ts';

/** Deletes a job by its id. Throws `job_not_found`, `version_mismatch`. */
export function deleteJobHandler(
  jobs: JobStore,
  remove: DeleteJob,
  jobLocks: Mutex,
): Handler<typeof deleteJob> {
  return async ({ params, context }) => {
    const load = () => findOwnJob(jobs, params.id, context);
    await jobLocks.run(`${params.id}`, lastStart(context.deadline), () =>
      remove(load, params.ifMatch, context),
    );
    return { outcome: 'deleted' };
  };
}
