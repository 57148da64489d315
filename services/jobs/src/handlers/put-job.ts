import type { CallContext, Outcome } from '@joblisting/bus';
import {
  type JobByReference,
  type putJob,
  refuseInvalid,
  ServiceError,
  type Violation,
} from '@joblisting/contracts';
import { grantsCompany, type Handler, requireCompany } from '@joblisting/service-kit';
import { brokenProperties } from '../domain/content.ts';
import { missingOfNewJob } from '../domain/new-job.ts';
import { WriteConflict } from '../store/job-store.ts';
import { lastStart, retryOnConflict } from '../store/retry-on-conflict.ts';
import { changeJob, type WrittenJob } from './change-job.ts';
import type { Deps } from './deps.ts';
import { jobAnswer, previewAnswer } from './job-answer.ts';
import { decideNewJob, makeNewJob, previewNewJob } from './make-job.ts';
import type { IfMatch } from './refusals.ts';

/** One job to create or change by its reference: a request, or an item of a batch. */
export interface PutRequest {
  readonly body: JobByReference;
  /** How the body breaks its schema. */
  readonly violations: readonly Violation[];
  readonly ifMatch?: IfMatch;
  readonly dryRun: boolean;
  readonly context: CallContext;
}

export interface PutResult extends WrittenJob {
  readonly outcome: Outcome;
}

/** Answers one job. */
export const putJobHandler =
  (deps: Deps): Handler<typeof putJob> =>
  async ({ params: { ifMatch, dryRun = false }, body, violations, warnings, context }) => {
    const { job, outcome, ...put } = await putByReference(deps, {
      body,
      violations,
      ifMatch,
      dryRun,
      context,
    });
    warnings.push(...put.warnings);
    return dryRun ? previewAnswer(job, outcome) : { ...jobAnswer(job, outcome), id: job.id };
  };

/** Changes the job that referenceId and company.id name, or creates it. The loser of a race to create it changes it. */
export async function putByReference(deps: Deps, request: PutRequest): Promise<PutResult> {
  const { body, violations, ifMatch, dryRun, context } = request;
  if (violations.length > 0) await refuseShape(deps, body, violations, context);
  const { referenceId, company } = body;
  requireCompany(context, company.id, { pointer: '#/company/id' });
  const load = () => deps.jobs.findByReference({ companyId: company.id, referenceId }, context.deadline);
  const attempt = async () => {
    const changed = await changeJob(deps, { load, changes: body, ifMatch, dryRun, context });
    if (changed) return { ...changed, outcome: 'ok' as const };
    if (ifMatch)
      throw new ServiceError('version_mismatch', 'There is no job with this referenceId to match.');
    const decided = await decideNewJob(deps, body, missingOfNewJob(body), context);
    const newJob = { decided, companyId: company.id, context };
    const made = dryRun ? await previewNewJob(deps, newJob) : await makeNewJob(deps, newJob);
    if (!made) throw new WriteConflict();
    return { ...made, outcome: 'created' as const };
  };
  const key = `${company.id}/${referenceId}`;
  return deps.jobLocks.run(key, lastStart(context.deadline), () =>
    retryOnConflict(context.deadline, attempt),
  );
}

/** Refuses a body that breaks its schema. If the request would create a job, also lists what a new job lacks. */
async function refuseShape(
  deps: Deps,
  body: JobByReference,
  violations: readonly Violation[],
  context: CallContext,
): Promise<void> {
  const broken = brokenProperties(violations);
  const isNamed = !broken.has('referenceId') && !broken.has('company');
  const { company, referenceId } = body;
  const isNew =
    isNamed &&
    grantsCompany(context, company.id) &&
    (await deps.jobs.findIdByReference({ companyId: company.id, referenceId })) === undefined;
  if (isNew) await decideNewJob(deps, body, [...violations, ...missingOfNewJob(body)], context);
  refuseInvalid(violations);
}
