import { type ApplicationTarget, routing, ServiceError, status } from '@joblisting/contracts';

/**
 * Throws unless the job takes applications here: `applications_not_collected` with its applicationUrl, `job_not_open`
 * with its status.
 */
export function requireOpen({
  id,
  applicantRoutingType,
  applicationUrl,
  status: current,
}: ApplicationTarget): void {
  if (applicantRoutingType.id !== routing.default) {
    throw new ServiceError('applications_not_collected', `Applicants for this job go to ${applicationUrl}.`, {
      conflict: { resource: 'job', id, applicationUrl },
    });
  }
  if (current.id !== status.published) {
    throw new ServiceError('job_not_open', `The job is ${current.name}.`, {
      conflict: { resource: 'job', id, status: current },
    });
  }
}
