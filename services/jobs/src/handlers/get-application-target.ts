import { type getApplicationTarget, routingNames, ServiceError, statusNames } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { applyDueTransitions } from '../domain/status.ts';
import type { JobStore } from '../store/job-store.ts';

/** Reads where applications for a job go. Only services call it, so it checks no company. Throws `job_not_found`. */
export const getApplicationTargetHandler =
  (jobs: JobStore, clock: Clock): Handler<typeof getApplicationTarget> =>
  async ({ params, context }) => {
    const stored = await jobs.find(params.id, context.deadline);
    if (!stored) throw new ServiceError('job_not_found');
    const job = applyDueTransitions(stored, clock.now());
    const { id, company, referenceId, title, statusId, routingId, applicationEmails, applicationUrl } = job;
    return {
      data: {
        id,
        company,
        referenceId,
        title,
        status: { id: statusId, name: statusNames[statusId] },
        applicantRoutingType: { id: routingId, name: routingNames[routingId] },
        applicationEmails: [...applicationEmails],
        applicationUrl,
      },
    };
  };
