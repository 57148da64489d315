import type { JobsApi } from '../api/jobs.ts';
import { refusalOf } from '../api/refusal.ts';
import type { Refusal } from '../api/refusal.ts';
import { property } from '../values.ts';
import type { JobBody } from '../postings/mapping.ts';
import { isSameJob } from './same-job.ts';

export type SendOutcome = 'created' | 'updated' | 'unchanged' | Refusal;

/**
 * Brings one posting in. A job that is known to exist is read first, and written only where it differs: a
 * second run over the same file reads alone. Throws `UnreachableError`.
 */
export async function sendPosting(
  api: JobsApi,
  body: JobBody,
  jobId: number | undefined,
): Promise<SendOutcome> {
  const current = jobId === undefined ? undefined : await api.job(jobId);
  if (current?.status === 200 && isSameJob(property(current.body, 'data'), body)) return 'unchanged';
  const answer = await api.put(body);
  if (answer.status === 201) return 'created';
  if (answer.status !== 200) return refusalOf(answer);
  if (current?.version !== undefined && current.version === answer.version) return 'unchanged';
  return current === undefined && answer.repeated ? 'created' : 'updated';
}
