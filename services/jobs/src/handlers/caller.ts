import type { CallContext } from '@joblisting/bus';
import { grantsCompany } from '@joblisting/service-kit';
import type { Requester } from '../domain/change.ts';
import type { Job } from '../domain/job.ts';
import type { JobStore } from '../store/job-store.ts';

/** The stored job, if the caller's keys grant its company: any other is as if it were not there. */
export async function findOwnJob(jobs: JobStore, id: number, context: CallContext): Promise<Job | undefined> {
  const job = await jobs.find(id, context.deadline);
  return job && grantsCompany(context, job.company.id) ? job : undefined;
}

/** The lock for writes of one job. Each consumer has its own, so that nobody holds up jobs that are not theirs. */
export const lockOf = (id: number, { principal }: CallContext): string =>
  `${principal?.consumerId ?? ''}:${id}`;

/** The caller, as the change that they ask for names it. */
export const requesterOf = ({ principal, requestId }: CallContext): Requester => ({
  ...(principal && { requestedBy: { consumerId: principal.consumerId, userId: principal.userId } }),
  requestId,
});
