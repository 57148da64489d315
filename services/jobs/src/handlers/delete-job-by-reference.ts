import type { deleteJobByReference } from '@joblisting/contracts';
import { type Handler, requireCompany } from '@joblisting/service-kit';
import type { JobStore } from '../store/job-store.ts';
import type { DeleteJob } from '../use-cases/delete-job.ts';

/** Deletes the job of this referenceId. Throws `company_forbidden`, `job_not_found`, `version_mismatch`. */
export function deleteJobByReferenceHandler(
  jobs: JobStore,
  remove: DeleteJob,
): Handler<typeof deleteJobByReference> {
  return async ({ params, body, context }) => {
    const { company, referenceId } = body;
    requireCompany(context, company.id, { pointer: '#/company/id' });
    await remove(() => jobs.findByReference({ companyId: company.id, referenceId }), params.ifMatch, context);
    return { outcome: 'deleted' };
  };
}
