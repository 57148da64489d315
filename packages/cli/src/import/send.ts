import { isDeepStrictEqual } from 'node:util';
import { type Answer, type Job, type JobByReference, JobListingError } from '@joblisting/client';
import type { JobBody } from '../postings/mapping.ts';
import type { Jobs } from './client.ts';
import { property } from '../values.ts';
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

interface SendOptions {
  readonly dryRun: boolean;
  /** Ends the retries; a request in flight runs to its end. */
  readonly retrySignal: AbortSignal;
}

/**
 * Brings one posting in. A job that is known to exist is read first, and written only if it differs: a second run
 * over the same file only reads. With `dryRun` the outcome is what would happen.
 */
export async function sendPosting(
  jobs: Jobs,
  body: JobBody,
  jobId: number | undefined,
  { dryRun, retrySignal }: SendOptions,
): Promise<SendOutcome> {
  const current = jobId === undefined ? undefined : await findJob(jobs, jobId, retrySignal);
  if (current !== undefined && isSameJob(current.data, body)) return 'unchanged';
  // Invalid values go to the API as they are, which reports them.
  const answer = await jobs.putByReference(body as JobByReference, {
    retrySignal,
    ...(dryRun && { dryRun }),
  });
  if (answer.status === 201) return 'created';
  if (current !== undefined)
    return (dryRun ? hasSameFields(current, answer, body) : hasSameVersion(current, answer))
      ? 'unchanged'
      : 'updated';
  // The answer to an earlier attempt, which created the job, was lost. A dry run creates none.
  return answer.attempts > 1 && !dryRun ? 'created' : 'updated';
}

/** Undefined if the job was deleted since it was listed. */
const findJob = (jobs: Jobs, id: number, retrySignal: AbortSignal): Promise<Answer<Job> | undefined> =>
  jobs.get(id, { retrySignal }).catch((error: unknown) => {
    if (error instanceof JobListingError && error.status === 404) return undefined;
    throw error;
  });

/** Compares the properties that the body names: a dry run has no ETag. */
const hasSameFields = (current: Answer<Job>, answer: Answer<Job>, body: JobBody): boolean =>
  Object.keys(body).every((name) =>
    isDeepStrictEqual(property(current.data, name), property(answer.data, name)),
  );

const hasSameVersion = (current: Answer<Job>, answer: Answer<Job>): boolean =>
  versionOf(current) === versionOf(answer);

/** The version part of the ETag. */
const versionOf = ({ etag = '' }: Answer<Job>): string | undefined => /^(?:W\/)?"(\d+)-/.exec(etag)?.[1];
