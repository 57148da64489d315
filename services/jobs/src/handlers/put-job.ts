import { type putJob, ServiceError } from '@joblisting/contracts';
import { type Clock, type Handler, requireCompany } from '@joblisting/service-kit';
import { decideNew, missingOfNewJob } from '../domain/new-job.ts';
import type { JobStore } from '../store/job-store.ts';
import type { ChangeJob } from '../use-cases/change-job.ts';
import type { CreateJob } from '../use-cases/create-job.ts';
import { LOST, type Writes } from '../use-cases/writes.ts';
import { jobAnswer } from './job-answer.ts';

/** Changes the job that referenceId and company.id name, or creates it; whoever loses that race changes it. */
export function putJobHandler(
  jobs: JobStore,
  create: CreateJob,
  change: ChangeJob,
  clock: Clock,
  writes: Writes,
): Handler<typeof putJob> {
  return async ({ params: { ifMatch }, body, warnings, context }) => {
    const { referenceId, company } = body;
    requireCompany(context, company.id, { pointer: '#/company/id' });
    const load = () => jobs.findByReference(company.id, referenceId);
    const attempt = async () => {
      const changed = await change({ load, changes: body, ifMatch, context });
      if (changed) return { ...changed, outcome: 'ok' as const };
      if (ifMatch)
        throw new ServiceError('version_mismatch', 'There is no job with this referenceId to match.');
      const decided = decideNew(body, missingOfNewJob(body), clock.now());
      const made = await create(decided, company.id, context);
      return made ? { ...made, outcome: 'created' as const } : LOST;
    };
    const written = await writes.inTurn(`${company.id}/${referenceId}`, context.deadline, () =>
      writes.untilWritten(context.deadline, attempt),
    );
    warnings.push(...written.warnings);
    return jobAnswer(written.job, written.outcome);
  };
}
