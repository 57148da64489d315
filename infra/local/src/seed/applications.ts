import type { DemoApplication } from './demo-applications.ts';
import { makePdf } from './pdf.ts';
import { send } from './send.ts';

const dayMs = 24 * 60 * 60 * 1000;

export type ApplicationsTarget = {
  readonly baseUrl: string;
  readonly consumerKey: string;
  readonly userKey: string;
  readonly companyId: number;
  readonly jobId: number;
  /** Epoch milliseconds. */
  readonly now: number;
};

/**
 * Submits the applications that the job does not have yet. A reference id is unique per consumer key only, and each
 * seeding has a new key, so it looks first.
 */
export async function seedApplications(
  target: ApplicationsTarget,
  applications: readonly DemoApplication[],
): Promise<void> {
  const { baseUrl, consumerKey, userKey, companyId, jobId } = target;
  const query = `company.id=${companyId}&job.id=${jobId}&pageSize=1000`;
  const text = await send(`${baseUrl}/applications?${query}`, {
    headers: { 'Consumer-API-Key': consumerKey, 'User-API-Key': userKey },
  });
  const { data } = JSON.parse(text) as { data: { referenceId: string | null }[] };
  const known = new Set(data.map(({ referenceId }) => referenceId));
  for (const application of applications.filter(({ referenceId }) => !known.has(referenceId))) {
    const { contentType, body } = applicationBody(application, target.now);
    await send(`${baseUrl}/jobs/${jobId}/applications`, {
      method: 'POST',
      // As the server of a search site sends it: without a user key.
      headers: { 'Consumer-API-Key': consumerKey, ...(contentType && { 'Content-Type': contentType }) },
      body,
    });
  }
}

/** JSON, or multipart with the PDF. `fetch` names the boundary of a form itself. */
export function applicationBody(
  application: DemoApplication,
  now: number,
): { contentType?: string; body: string | FormData } {
  const { name, email, phone, location, coverLetter, answers, referenceId, cv } = application;
  const consentAt = new Date(now - dayMs).toISOString();
  const applicant = { name, email, phone, location };
  const source = 'demo';
  const json = JSON.stringify({ applicant, coverLetter, answers, referenceId, source, consentAt });
  if (cv === undefined) return { contentType: 'application/json', body: json };
  const form = new FormData();
  form.append('application', new Blob([json], { type: 'application/json' }));
  form.append('file', new File([makePdf(cv)], 'cv.pdf', { type: 'application/pdf' }));
  return { body: form };
}
