import { ServiceError, type updateJob } from '@joblisting/contracts';
import { type Handler, type Mutex, requireCompany } from '@joblisting/service-kit';
import type { JobStore } from '../store/job-store.ts';
import type { ChangeJob } from '../use-cases/change-job.ts';
import { lastStart } from '../use-cases/retry-on-conflict.ts';
import { jobAnswer } from './job-answer.ts';
import { findOwnJob } from './own-job.ts';

/** Changes the properties sent. Throws as its contract says, in the order of API decisions, "Order of refusals". */
export function updateJobHandler(
  jobs: JobStore,
  change: ChangeJob,
  jobLocks: Mutex,
): Handler<typeof updateJob> {
  return async ({ params, body, warnings, context }) => {
    if (body.company) requireCompany(context, body.company.id, { pointer: '#/company/id' });
    const load = () => findOwnJob(jobs, params.id, context);
    const request = { load, changes: body, ifMatch: params.ifMatch, context };
    const startBy = lastStart(context.deadline);
    const changed = await jobLocks.run(`${params.id}`, startBy, () => change(request));
    if (!changed) throw new ServiceError('job_not_found');
    warnings.push(...changed.warnings);
    return jobAnswer(changed.job);
  };
}
