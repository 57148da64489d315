import { type Answer, type Job, type JobByReference, JobListingError } from '@joblisting/client';
import type { JobBody } from '../postings/mapping.ts';
import type { Jobs } from './client.ts';
import { isSameJob } from './same-job.ts';

const PAGE_SIZE = 1000;

export type SendOutcome = 'created' | 'updated' | 'unchanged';

/** The company's job ids by referenceId. */
export async function jobIdsByReference(
  jobs: Jobs,
  companyId: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for await (const { id, referenceId } of jobs.list(
    { 'company.id': companyId, pageSize: PAGE_SIZE },
    { signal },
  ))
    if (referenceId !== null) ids.set(referenceId, id);
  return ids;
}

/**
 * Brings one posting in. A job that is known to exist is read first, and written only where it differs: a
 * second run over the same file reads alone. With `dryRun` the outcome is what would happen.
 */
export async function sendPosting(
  jobs: Jobs,
  body: JobBody,
  jobId: number | undefined,
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal: AbortSignal },
): Promise<SendOutcome> {
  const current = jobId === undefined ? undefined : await existing(jobs, jobId, signal);
  if (current !== undefined && isSameJob(current.data, body)) return 'unchanged';
  // Invalid values go to the API as they are, which reports them.
  const answer = await jobs.putByReference(body as JobByReference, { signal, ...(dryRun && { dryRun }) });
  if (answer.status === 201) return 'created';
  if (current !== undefined && versionOf(current) === versionOf(answer)) return 'unchanged';
  return current === undefined && answer.attempts > 1 ? 'created' : 'updated';
}

/** Undefined where the job was deleted since it was listed. */
const existing = (jobs: Jobs, id: number, signal: AbortSignal): Promise<Answer<Job> | undefined> =>
  jobs.get(id, { signal }).catch((error: unknown) => {
    if (error instanceof JobListingError && error.status === 404) return undefined;
    throw error;
  });

/** The version part of the ETag. */
const versionOf = ({ etag = '' }: Answer<Job>): string | undefined => /^(?:W\/)?"(\d+)-/.exec(etag)?.[1];
