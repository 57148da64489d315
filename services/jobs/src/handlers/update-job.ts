import { ServiceError, type updateJob } from '@joblisting/contracts';
import { type Handler, requireCompany } from '@joblisting/service-kit';
import { lastStart } from '../store/retry-on-conflict.ts';
import { findOwnJob, jobLockKey } from './caller.ts';
import { changeJob } from './change-job.ts';
import type { Deps } from './deps.ts';
import { jobAnswer, previewAnswer } from './job-answer.ts';

/**
 * Changes the properties sent. Throws the errors of its contract, in the order of API decisions, "Order of refusals".
 */
export const updateJobHandler =
  (deps: Deps): Handler<typeof updateJob> =>
  async ({ params: { id, ifMatch, dryRun = false }, body, warnings, context }) => {
    if (body.company) requireCompany(context, body.company.id, { pointer: '#/company/id' });
    const load = () => findOwnJob(deps.jobs, id, context);
    const changed = await deps.jobLocks.run(jobLockKey(id, context), lastStart(context.deadline), () =>
      changeJob(deps, { load, changes: body, ifMatch, dryRun, context }),
    );
    if (!changed) throw new ServiceError('job_not_found');
    warnings.push(...changed.warnings);
    return dryRun ? previewAnswer(changed.job) : jobAnswer(changed.job);
  };
