import { type checkJobAccess, ServiceError } from '@joblisting/contracts';
import { grantsCompany, type Handler } from '@joblisting/service-kit';
import type { JobStore } from '../store/job-store.ts';

/** Checks that the caller may read a job, without reading its content. Throws `job_not_found`. */
export const checkJobAccessHandler =
  (jobs: JobStore): Handler<typeof checkJobAccess> =>
  async ({ params, context }) => {
    const companyId = await jobs.companyIdOf(params.id);
    if (companyId === undefined || !grantsCompany(context, companyId))
      throw new ServiceError('job_not_found');
    return {};
  };
