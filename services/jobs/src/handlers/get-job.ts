import { type getJob, jobTypes, type listJobTypes, ServiceError } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { applyDueTransitions } from '../domain/status.ts';
import type { JobStore } from '../store/job-store.ts';
import { findOwnJob } from './caller.ts';
import { jobAnswer } from './job-answer.ts';

/** Reads one job. Its status is right even if a transition is not stored yet. Throws `job_not_found`. */
export const getJobHandler =
  (jobs: JobStore, clock: Clock): Handler<typeof getJob> =>
  async ({ params, context }) => {
    const stored = await findOwnJob(jobs, params.id, context);
    if (!stored) throw new ServiceError('job_not_found');
    return jobAnswer(applyDueTransitions(stored, clock.now()));
  };

/** The fixed job types. */
export const listJobTypesHandler = (): Handler<typeof listJobTypes> => () =>
  Promise.resolve({ data: jobTypes.map(({ id, name }) => ({ id, name })) });
