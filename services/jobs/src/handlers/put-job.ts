import { type putJob, ServiceError } from '@joblisting/contracts';
import { type Clock, type Handler, requireCompany } from '@joblisting/service-kit';
import { decideNew, missingOfNewJob } from '../domain/new-job.ts';
import type { JobStore } from '../store/job-store.ts';
import type { ChangeJob } from '../use-cases/change-job.ts';
import type { CreateJob } from '../use-cases/create-job.ts';
import { ATTEMPTS, contended } from '../use-cases/refusals.ts';
import { jobAnswer } from './job-answer.ts';

/** Changes the job that referenceId and company.id name, or creates it; whoever loses that race changes it. */
export function putJobHandler(
  jobs: JobStore,
  create: CreateJob,
  change: ChangeJob,
  clock: Clock,
): Handler<typeof putJob> {
  return async ({ params: { ifMatch }, body, warnings, context }) => {
    const { referenceId, company } = body;
    requireCompany(context, company.id, { pointer: '#/company/id' });
    const load = () => jobs.findByReference(company.id, referenceId);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const changed = await change({ load, changes: body, ifMatch, context });
      if (!changed && ifMatch)
        throw new ServiceError('version_mismatch', 'There is no job with this referenceId to match.');
      const decided = changed ? undefined : decideNew(body, missingOfNewJob(body), clock.now());
      const written = changed ?? (decided && (await create(decided, company.id, context)));
      if (!written) continue;
      warnings.push(...written.warnings);
      return jobAnswer(written.job, changed ? 'ok' : 'created');
    }
    throw contended();
  };
}
