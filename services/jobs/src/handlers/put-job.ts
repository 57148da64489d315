import type { CallContext } from '@joblisting/bus';
import {
  type JobByReference,
  type putJob,
  refuseInvalid,
  ServiceError,
  type Violation,
} from '@joblisting/contracts';
import { grantsCompany, type Handler, type Mutex, requireCompany } from '@joblisting/service-kit';
import { brokenProperties } from '../domain/content.ts';
import { missingOfNewJob } from '../domain/new-job.ts';
import { type JobStore, WriteConflict } from '../store/job-store.ts';
import type { ChangeJob } from '../use-cases/change-job.ts';
import type { CreateJob } from '../use-cases/create-job.ts';
import type { DecideNewJob } from '../use-cases/decide-new-job.ts';
import { lastStart, retryOnConflict } from '../use-cases/retry-on-conflict.ts';
import { jobAnswer } from './job-answer.ts';

/** Changes the job that referenceId and company.id name, or creates it; whoever loses that race changes it. */
export function putJobHandler(
  jobs: JobStore,
  decide: DecideNewJob,
  create: CreateJob,
  change: ChangeJob,
  jobLocks: Mutex,
): Handler<typeof putJob> {
  /** A body of broken shape is told what a new job lacks, if it would have made one. */
  const refuseShape = async (
    body: JobByReference,
    violations: readonly Violation[],
    context: CallContext,
  ): Promise<void> => {
    const broken = brokenProperties(violations);
    const isNamed = !broken.has('referenceId') && !broken.has('company');
    const isNew =
      isNamed &&
      grantsCompany(context, body.company.id) &&
      (await jobs.findIdByReference({ companyId: body.company.id, referenceId: body.referenceId })) ===
        undefined;
    if (isNew) await decide(body, [...violations, ...missingOfNewJob(body)], context);
    refuseInvalid(violations);
  };

  return async ({ params: { ifMatch }, body, violations, warnings, context }) => {
    const { referenceId, company } = body;
    if (violations.length > 0) await refuseShape(body, violations, context);
    requireCompany(context, company.id, { pointer: '#/company/id' });
    const load = () => jobs.findByReference({ companyId: company.id, referenceId });
    const attempt = async () => {
      const changed = await change({ load, changes: body, ifMatch, context });
      if (changed) return { ...changed, outcome: 'ok' as const };
      if (ifMatch)
        throw new ServiceError('version_mismatch', 'There is no job with this referenceId to match.');
      const decided = await decide(body, missingOfNewJob(body), context);
      const made = await create({ decided, companyId: company.id, context });
      if (!made) throw new WriteConflict();
      return { ...made, outcome: 'created' as const };
    };
    const key = `${company.id}/${referenceId}`;
    const written = await jobLocks.run(key, lastStart(context.deadline), () =>
      retryOnConflict(context.deadline, attempt),
    );
    warnings.push(...written.warnings);
    return jobAnswer(written.job, written.outcome);
  };
}
