import type { Outcome } from '@joblisting/bus';
import type { Job as JobReply } from '@joblisting/contracts';
import type { Job } from '../domain/job.ts';
import { toReply } from '../domain/reply.ts';

interface PreviewAnswer {
  readonly outcome: Outcome;
  readonly data: JobReply;
}

interface JobAnswer {
  readonly outcome: Outcome;
  readonly data: JobReply;
  readonly id?: number;
  readonly version: number;
}

/** The answer with one job. The gateway makes the ETag from its version, and Location from the id of a new one. */
export const jobAnswer = (job: Job, outcome: Outcome = 'ok'): JobAnswer => ({
  outcome,
  data: toReply(job),
  ...(outcome === 'created' && { id: job.id }),
  version: job.version,
});

/** The answer of a dry run. It has no version and no new id, so it gets no ETag and no Location. */
export function previewAnswer(job: Job, outcome: Outcome = 'ok'): PreviewAnswer {
  const data = toReply(job);
  // Categories that do not exist yet have different ids below 1 so far.
  const categories = data.categories.map(({ id, name }) => ({ id: Math.max(id, 0), name }));
  return { outcome, data: { ...data, categories } };
}
