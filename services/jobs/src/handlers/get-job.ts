import { type getJob, ServiceError } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { applyDueTransitions } from '../domain/status.ts';
import type { JobStore } from '../store/job-store.ts';
import { jobAnswer } from './job-answer.ts';
import { findOwnJob } from './caller.ts';

/** Reads one job. Its status is right even where no transition has been stored. Throws `job_not_found`. */
export function getJobHandler(jobs: JobStore, clock: Clock): Handler<typeof getJob> {
  return async ({ params, context }) => {
    const stored = await findOwnJob(jobs, params.id, context);
    if (!stored) throw new ServiceError('job_not_found');
    return jobAnswer(applyDueTransitions(stored, clock.now()));
  };
}
