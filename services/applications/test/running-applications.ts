import {
  type ApplicationTarget,
  createApplication,
  getApplication,
  getApplicationTarget,
  getCompany,
  ServiceError,
} from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { testClock } from '@joblisting/testing';
import { runService, standIn } from '@joblisting/testing/system';
import { applicationsService } from '../src/index.ts';

/** A published job of company 1 that sends copies to two addresses. */
export const openJob = (id: number, overrides: Partial<ApplicationTarget> = {}): ApplicationTarget => ({
  id,
  company: { id: 1, name: 'Acme' },
  referenceId: `ref-${id}`,
  title: 'Beekeeper',
  status: { id: 1, name: 'Published' },
  applicantRoutingType: { id: 1, name: 'Default' },
  applicationEmails: ['hr@acme.example', 'boss@acme.example'],
  applicationUrl: null,
  ...overrides,
});

export type RunningApplications = Awaited<ReturnType<typeof runApplications>>;

/** The service with stand-ins of `jobs` and `accounts` (companies below 900 exist), and `MAIL=off` unless the settings say otherwise. */
export async function runApplications(env: Readonly<Record<string, string>> = {}) {
  const jobs = new Map<number, ApplicationTarget>();
  const target = standIn(getApplicationTarget, async ({ params }) => {
    const job = jobs.get(params.id);
    if (!job) throw new ServiceError('job_not_found');
    return { data: job };
  });
  const company = standIn(getCompany, async ({ params: { id } }) => {
    if (id >= 900) throw new ServiceError('company_not_found');
    return { data: { id, name: `Company ${id}` } };
  });
  const running = await runService(applicationsService, {
    standIns: [target, company],
    env: { MAIL: 'off', ...env },
    // The present: MongoDB removes documents that expired before it.
    clock: testClock(new Date().toISOString()),
  });
  return Object.assign(running, { jobs, target });
}

/** The context of the search site's server, and of a company's people. */
export const searchSite = (idempotencyKey?: string) => ({
  ...ownCall(10_000),
  principal: { consumerId: 7, scopes: ['applications:write' as const], userId: null, companyIds: [] },
  ...(idempotencyKey !== undefined && { idempotencyKey }),
});
export const companyOf = (companyId: number) => ({
  ...ownCall(10_000),
  principal: {
    consumerId: 8,
    scopes: ['applications:read' as const, 'applications:write' as const],
    userId: 3,
    companyIds: [companyId],
  },
});

export const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

/** A small file that is a PDF to the libraries that look at it. */
export const pdf = (text = 'CV'): Buffer => Buffer.from(`%PDF-1.4\n% ${text}\n%%EOF\n`);

export interface SentPart {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A multipart body with the application and files, and its Content-Type. */
export async function multipart(application: unknown, files: readonly SentPart[]) {
  const form = new FormData();
  form.append('application', new Blob([JSON.stringify(application)], { type: 'application/json' }));
  for (const { name, content } of files) form.append('file', new Blob([Buffer.from(content)]), name);
  const response = new Response(form);
  return {
    contentType: response.headers.get('content-type') as string,
    body: new Uint8Array(await response.arrayBuffer()),
  };
}

export const applyOf = (running: RunningApplications) => ({
  json: (jobId: number, body: object, context = searchSite()) =>
    running.bus.request(createApplication, { params: { jobId }, body, context }),

  multipart: async (jobId: number, body: unknown, files: readonly SentPart[], context = searchSite()) => {
    const sent = await multipart(body, files);
    const reply = await running.bus.forward(
      createApplication,
      { jobId, contentType: sent.contentType },
      sent.body,
      context,
    );
    return { ...reply, data: JSON.parse(Buffer.from(reply.data).toString()) };
  },

  read: async (id: number, context = companyOf(1)) =>
    (await running.bus.request(getApplication, { params: { id }, context })).data,
});
