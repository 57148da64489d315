import { type ApplicationTarget, routing, ServiceError, status } from '@joblisting/contracts';

/**
 * Throws unless the job takes applications here: `job_not_open` with its status, `applications_not_collected` with its
 * applicationUrl; `job_not_found` for a draft, which only its company may know of.
 */
export function requireOpen({
  id,
  applicantRoutingType,
  applicationUrl,
  status: current,
}: ApplicationTarget): void {
  if (current.id === status.draft) throw new ServiceError('job_not_found');
  if (current.id !== status.published) {
    throw new ServiceError('job_not_open', `The job is ${current.name}.`, {
      conflict: { resource: 'job', id, status: current },
    });
  }
  if (applicantRoutingType.id !== routing.default) {
    const detail = applicationUrl === null ? undefined : `Applicants for this job go to ${applicationUrl}.`;
    throw new ServiceError('applications_not_collected', detail, {
      conflict: { resource: 'job', id, applicationUrl },
    });
  }
}
