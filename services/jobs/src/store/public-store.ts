import { status } from '@joblisting/contracts';
import type { Mongo } from '@joblisting/service-kit';
import type { Job } from '../domain/job.ts';
import { type JobDocument, jobModel } from '../models/job.ts';
import { toJob } from './job-document.ts';

export type PublicStore = ReturnType<typeof publicStore>;

export interface PublicRequest {
  readonly ids?: readonly number[] | undefined;
  readonly companyId?: number | undefined;
  /** Only jobs with a higher id. */
  readonly after?: number | undefined;
}

const MAX_JOBS = 500;
/** Of descriptions: a reply may be one description longer. */
const MAX_CHARACTERS = 1024 * 1024;
const READ_AT_ONCE = 50;
const internal = { change: 0, idempotency: 0, counted: 0, uncounted: 0, applicationEmails: 0 } as const;

/** Reads of jobs for the public. */
export function publicStore(mongo: Mongo) {
  const jobs = jobModel(mongo);

  return {
    /**
     * Jobs that are stored as Published, or become so by `now`, in order of id. `next` is null at the end. Their status may
     * be behind the clock.
     */
    read: async ({ ids, companyId, after = 0 }: PublicRequest, now: number) => {
      const query = {
        _id: { $gt: after, ...(ids && { $in: [...ids] }) },
        ...(companyId !== undefined && { companyId }),
        $or: [
          { statusId: status.published },
          { statusId: status.pending, nextTransitionAt: { $lte: new Date(now) } },
        ],
      };
      const found: Job[] = [];
      let characters = 0;
      const cursor = jobs
        .find(query, internal)
        .sort({ _id: 1 })
        .limit(MAX_JOBS)
        .lean<Omit<JobDocument, 'applicationEmails'>>()
        .cursor({ batchSize: READ_AT_ONCE });
      for await (const stored of cursor) {
        const job = toJob({ ...stored, applicationEmails: [] });
        found.push(job);
        characters += job.description.length;
        if (characters >= MAX_CHARACTERS) break;
      }
      const isEnd = found.length < MAX_JOBS && characters < MAX_CHARACTERS;
      return { jobs: found, next: isEnd ? null : (found.at(-1)?.id ?? null) };
    },
  };
}
