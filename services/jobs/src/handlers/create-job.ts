import type { createJob } from '@joblisting/contracts';
import { type Handler, requireCompany } from '@joblisting/service-kit';
import type { JobStore } from '../store/job-store.ts';
import type { CreateJob, Written } from '../use-cases/create-job.ts';
import type { DecideNewJob } from '../use-cases/decide-new-job.ts';
import { referenceTaken } from '../use-cases/refusals.ts';
import type { UnknownCategories } from '../use-cases/unknown-categories.ts';
import { jobAnswer } from './job-answer.ts';

/**
 * Creates a job. Throws `validation_failed` with shape and rules together, `company_forbidden`,
 * `reference_id_taken`.
 */
export function createJobHandler(
  jobs: JobStore,
  decide: DecideNewJob,
  create: CreateJob,
  unknown: UnknownCategories,
): Handler<typeof createJob> {
  return async ({ body, violations, warnings, context, keep }) => {
    const decided = await decide(body, violations, context);
    const companyId = body.company.id;
    requireCompany(context, companyId, { pointer: '#/company/id' });
    const { content, categories } = decided;
    const { referenceId } = content;
    // Only a short cut: it spares a refused request its categories and its link. The unique index decides.
    const taken =
      referenceId !== null && (await jobs.findIdByReference({ companyId, referenceId })) !== undefined;
    if (taken) await unknown.refuse({ companyId, categories }, context);
    const announce = (made: Written, now: number) => {
      warnings.push(...made.warnings);
      return keep?.(jobAnswer(made.job, 'created'), now);
    };
    const made = taken ? undefined : await create({ decided, companyId, context, keep: announce });
    // Where a twin of the request was faster, its answer is found now and takes the place of the refusal.
    if (!made) throw await referenceTaken(jobs, companyId, referenceId);
    return jobAnswer(made.job, 'created');
  };
}
