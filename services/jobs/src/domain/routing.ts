import { type JobChanges, routing } from '@joblisting/contracts';
import type { Findings } from './findings.ts';
import type { JobContent } from './job.ts';

type Routed = Pick<JobContent, 'routingId' | 'applicationEmails' | 'applicationUrl'>;

/**
 * Where applications go after a write. The rules hold for the merged job: switching the type drops what belongs
 * to the other one, unless the body itself sends it. A null URL and empty e-mails never count as sent
 * (API decisions, "Routing"). `brokenUrl`: an applicationUrl was sent but breaks its shape, so it is not missing.
 */
export function route(before: Routed, body: JobChanges, brokenUrl: boolean, { violate }: Findings): Routed {
  const routingId = body.applicantRoutingType?.id ?? before.routingId;
  const emailsSent = body.applicationEmails ?? [];
  if (routingId === routing.default) {
    if (typeof body.applicationUrl === 'string')
      violate(
        '#/applicationUrl',
        'not_allowed',
        'applicationUrl is only allowed with applicantRoutingType 2.',
      );
    const emails = body.applicationEmails === undefined ? before.applicationEmails : emailsSent;
    return { routingId, applicationEmails: [...new Set(emails)], applicationUrl: null };
  }
  if (emailsSent.length > 0)
    violate(
      '#/applicationEmails',
      'not_allowed',
      'applicationEmails are only allowed with applicantRoutingType 1.',
    );
  const applicationUrl = body.applicationUrl === undefined ? before.applicationUrl : body.applicationUrl;
  if (applicationUrl === null && !brokenUrl)
    violate('#/applicationUrl', 'required', 'applicationUrl is required with applicantRoutingType 2.');
  return { routingId, applicationEmails: [], applicationUrl };
}
