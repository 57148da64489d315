import type { Mongo } from '@joblisting/service-kit';
import type { ListedJob } from '../domain/job.ts';
import type { Timeline } from '../domain/status.ts';
import { type JobDocument, jobModel } from '../models/job.ts';
import { listedFields, timelineFields, toListedJob, toTimeline } from './job-document.ts';

export type HeaderStore = ReturnType<typeof headerStore>;

export interface HeadersRequest {
  readonly companyId?: number | undefined;
  readonly ids?: readonly number[] | undefined;
  /** Only jobs with a higher id. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** What the headers of jobs show, without their descriptions. */
const fields = { ...listedFields, ...timelineFields } as const;

type HeaderDocument = Pick<JobDocument, '_id' | keyof typeof fields>;

const toHeader = (stored: HeaderDocument): ListedJob & Timeline => ({
  ...toListedJob(stored),
  ...toTimeline(stored),
});

/** Reads of job headers in order of id, for those who keep a copy. */
export function headerStore(mongo: Mongo) {
  const jobs = jobModel(mongo);

  return {
    /** As they were stored: their status may be behind the clock. */
    read: async ({ companyId, ids, after, limit }: HeadersRequest): Promise<(ListedJob & Timeline)[]> => {
      const _id = ids ? { $in: [...ids] } : { $gt: after ?? 0 };
      const found = await jobs
        .find({ ...(companyId !== undefined && { companyId }), _id }, fields)
        .sort({ _id: 1 })
        .limit(limit)
        .lean<HeaderDocument[]>();
      return found.map((stored) => toHeader(stored));
    },
  };
}
