import type { CallContext } from '@joblisting/bus';
import { type deleteJob, type deleteJobByReference, ServiceError } from '@joblisting/contracts';
import { type Handler, requireCompany } from '@joblisting/service-kit';
import { deletionOf } from '../domain/change.ts';
import type { Job } from '../domain/job.ts';
import { lastStart, retryOnConflict } from '../store/retry-on-conflict.ts';
import { findOwnJob, jobLockKey, requesterOf } from './caller.ts';
import type { Deps } from './deps.ts';
import { type IfMatch, requireVersion } from './refusals.ts';

/** Deletes a job by its id. Throws `job_not_found`, `version_mismatch`. */
export const deleteJobHandler =
  (deps: Deps): Handler<typeof deleteJob> =>
  async ({ params: { id, ifMatch }, context }) => {
    const load = () => findOwnJob(deps.jobs, id, context);
    await deps.jobLocks.run(jobLockKey(id, context), lastStart(context.deadline), () =>
      removeJob(deps, load, ifMatch, context),
    );
    return { outcome: 'deleted' };
  };

/** Deletes the job of this referenceId. Throws `company_forbidden`, `job_not_found`, `version_mismatch`. */
export const deleteJobByReferenceHandler =
  (deps: Deps): Handler<typeof deleteJobByReference> =>
  async ({ params, body: { company, referenceId }, context }) => {
    requireCompany(context, company.id, { pointer: '#/company/id' });
    const load = () => deps.jobs.findByReference({ companyId: company.id, referenceId }, context.deadline);
    const id = await removeJob(deps, load, params.ifMatch, context);
    return { outcome: 'deleted', id };
  };

/** Deletes the job by compare-and-set on its version, then what other services store of it. Resolves to its id. */
export async function removeJob(
  { clock, jobs, tombstones, cleanUp }: Deps,
  load: () => Promise<Job | undefined>,
  ifMatch: IfMatch,
  context: CallContext,
): Promise<number> {
  const { deadline } = context;
  const deletedId = await retryOnConflict(deadline, async () => {
    const stored = await load();
    if (!stored) throw new ServiceError('job_not_found');
    const now = clock.now();
    const job = await jobs.storeDueTransitions(stored, now, deadline);
    requireVersion(job, ifMatch);
    await tombstones.bury(job, deletionOf(job, now, requesterOf(context)), deadline);
    return job.id;
  });
  await cleanUp([deletedId]);
  return deletedId;
}
