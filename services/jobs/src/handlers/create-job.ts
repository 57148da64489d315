import type { createJob } from '@joblisting/contracts';
import { type Handler, requireCompany } from '@joblisting/service-kit';
import type { WrittenJob } from './change-job.ts';
import type { Deps } from './deps.ts';
import { jobAnswer, previewAnswer } from './job-answer.ts';
import { decideNewJob, makeNewJob, previewNewJob } from './make-job.ts';
import { referenceTaken } from './refusals.ts';

/**
 * Creates a job. Throws `validation_failed` with shape and rules together, `company_forbidden`,
 * `reference_id_taken`.
 */
export const createJobHandler =
  (deps: Deps): Handler<typeof createJob> =>
  async ({ params: { dryRun }, body, violations, warnings, context, keep }) => {
    const { jobs, unknown } = deps;
    const decided = await decideNewJob(deps, body, violations, context);
    const companyId = body.company.id;
    requireCompany(context, companyId, { pointer: '#/company/id' });
    const { content, categories } = decided;
    const { referenceId } = content;
    // Only an early check, so that a refused request acquires no categories and no link. The unique index decides.
    const isTaken =
      referenceId !== null && (await jobs.findIdByReference({ companyId, referenceId })) !== undefined;
    if (isTaken) await unknown.refuse({ companyId, categories }, context);
    if (dryRun && !isTaken) {
      const preview = await previewNewJob(deps, { decided, companyId, context });
      warnings.push(...preview.warnings);
      return previewAnswer(preview.job, 'created');
    }
    const keepAnswer = (made: WrittenJob, now: number) => {
      warnings.push(...made.warnings);
      return keep?.(jobAnswer(made.job, 'created'), now);
    };
    const made = isTaken
      ? undefined
      : await makeNewJob(deps, { decided, companyId, context, keep: keepAnswer });
    // If a repetition of this request was faster, the endpoint now finds its answer and gives that instead.
    if (!made) throw await referenceTaken(jobs, companyId, referenceId);
    return jobAnswer(made.job, 'created');
  };
