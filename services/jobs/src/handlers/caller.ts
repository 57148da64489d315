import type { CallContext } from '@joblisting/bus';
import { grantsCompany } from '@joblisting/service-kit';
import type { Requester } from '../domain/change.ts';
import type { Job } from '../domain/job.ts';
import type { JobStore } from '../store/job-store.ts';

/** The stored job, if the caller's keys grant its company. Any other job looks as if it did not exist. */
export async function findOwnJob(jobs: JobStore, id: number, context: CallContext): Promise<Job | undefined> {
  const job = await jobs.find(id, context.deadline);
  return job && grantsCompany(context, job.company.id) ? job : undefined;
}

/** The key of the lock for writes of a job. It includes the consumer, so that no consumer can block jobs of others. */
export const jobLockKey = (id: number, { principal }: CallContext): string =>
  `${principal?.consumerId ?? ''}:${id}`;

/** The caller, in the form that a change stores. */
export const requesterOf = ({ principal, requestId }: CallContext): Requester => ({
  ...(principal && { requestedBy: { consumerId: principal.consumerId, userId: principal.userId } }),
  requestId,
});
