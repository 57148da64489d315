import type { createJob } from '@joblisting/contracts';
import { type Clock, type Handler, requireCompany } from '@joblisting/service-kit';
import { decideNew } from '../domain/new-job.ts';
import type { JobStore } from '../store/job-store.ts';
import type { CreateJob } from '../use-cases/create-job.ts';
import { referenceTaken } from '../use-cases/refusals.ts';
import { jobAnswer } from './job-answer.ts';

/**
 * Creates a job. Throws `validation_failed` with shape and rules together, `company_forbidden`,
 * `reference_id_taken`.
 */
export function createJobHandler(jobs: JobStore, create: CreateJob, clock: Clock): Handler<typeof createJob> {
  return async ({ body, violations, warnings, context }) => {
    const decided = decideNew(body, violations, clock.now());
    const companyId = body.company.id;
    requireCompany(context, companyId, { pointer: '#/company/id' });
    const { referenceId } = decided.content;
    // Only a short cut: it spares a refused request its categories and its link. The unique index decides.
    const taken =
      referenceId !== null && (await jobs.findIdByReference(companyId, referenceId)) !== undefined;
    const made = taken ? undefined : await create(decided, companyId, context);
    if (!made) throw await referenceTaken(jobs, companyId, referenceId);
    warnings.push(...made.warnings);
    return jobAnswer(made.job, 'created');
  };
}
