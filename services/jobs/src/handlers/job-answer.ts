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

/** The answer that carries one job. The gateway makes the ETag of its version, and Location of the id of a new one. */
export const jobAnswer = (job: Job, outcome: Outcome = 'ok'): JobAnswer => ({
  outcome,
  data: toReply(job),
  ...(outcome === 'created' && { id: job.id }),
  version: job.version,
});
