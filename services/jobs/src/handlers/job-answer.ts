import type { Outcome } from '@joblisting/bus';
import type { Job as JobReply } from '@joblisting/contracts';
import type { Job } from '../domain/job.ts';
import { toReply } from '../domain/reply.ts';

interface JobAnswer {
  readonly outcome: Outcome;
  readonly data: JobReply;
  readonly id?: number;
  readonly version: number;
}

/**
 * The answer that carries one job, with the version that dates it, and the id of one that was made: what else is
 * the same for many replies is read once by who asked.
 */
export const jobAnswer = (job: Job, outcome: Outcome = 'ok'): JobAnswer => ({
  outcome,
  data: toReply(job),
  ...(outcome === 'created' && { id: job.id }),
  version: job.version,
});
