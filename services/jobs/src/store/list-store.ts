import type { StatusId } from '@joblisting/contracts';
import type { Mongo } from '@joblisting/service-kit';
import type { ListedJob } from '../domain/job.ts';
import { jobsOf } from './collections.ts';
import { listedFields, type ListedDocument, toListedJob } from './job-document.ts';

export type ListStore = ReturnType<typeof listStore>;

/** A page of a company's jobs, of one status or of all. `page` counts from 1. */
export interface PageRequest {
  readonly companyId: number;
  readonly statusId: StatusId | undefined;
  readonly page: number;
  readonly pageSize: number;
}

/** Lists of one company's jobs. */
export function listStore(mongo: Mongo) {
  const jobs = jobsOf(mongo);

  return {
    /** Newest displayDate first, then the highest id (API decisions, "Paging"). */
    page: async (request: PageRequest): Promise<{ total: number; jobs: ListedJob[] }> => {
      const { companyId, statusId, page, pageSize } = request;
      const filter = statusId === undefined ? { companyId } : { companyId, statusId };
      const [total, found] = await Promise.all([
        jobs.countDocuments(filter),
        jobs
          .find(filter)
          .project<ListedDocument>(listedFields)
          .sort({ displayDate: -1, _id: -1 })
          .skip((page - 1) * pageSize)
          .limit(pageSize)
          .toArray(),
      ]);
      return { total, jobs: found.map(toListedJob) };
    },

    /** Those of the ids that are jobs. */
    existing: async (ids: readonly number[]): Promise<number[]> => {
      const found = await jobs
        .find({ _id: { $in: [...ids] } })
        .project<{ _id: number }>({ _id: 1 })
        .toArray();
      return found.map(({ _id }) => _id);
    },
  };
}
