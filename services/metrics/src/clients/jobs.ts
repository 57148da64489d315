import type { Bus, CallContext } from '@joblisting/bus';
import {
  applyCounts,
  checkJobAccess,
  findExistingJobs,
  INT32_MAX,
  ServiceError,
  unavailable,
} from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import type { JobCounts } from '../domain/tally.ts';

export type JobsClient = ReturnType<typeof jobsClient>;

const LOOK_UP_LIMIT_MS = 1500;
const APPLY_LIMIT_MS = 5000;

export const jobsClient = (bus: Bus) => ({
  /**
   * Which of these jobs exist. If `jobs` does not answer in time, rejects with `unavailable`, because nothing was
   * counted. Passes on any other error of `jobs`.
   */
  existing: async (ids: readonly number[], deadline: number): Promise<Set<number>> => {
    const own = ownCall(LOOK_UP_LIMIT_MS);
    const context = { ...own, deadline: Math.min(own.deadline, deadline) };
    try {
      const { data } = await bus.request(findExistingJobs, { body: { ids }, context });
      return new Set(data.ids);
    } catch (cause) {
      if (cause instanceof ServiceError && cause.reason) throw unavailable(cause.reason, undefined, cause);
      throw cause;
    }
  },

  /** Rejects with `job_not_found` unless the caller's keys grant this job, and with any other error of `jobs`. */
  requireAccess: async (id: number, context: CallContext): Promise<void> => {
    await bus.request(checkJobAccess, { params: { id }, context });
  },

  /** Raises the counts of jobs to these totals, and resolves to the jobs that are deleted. */
  applyCounts: async (totals: readonly JobCounts[]): Promise<Set<number>> => {
    const counts = totals.map(({ jobId, view, application, clickThrough }) => ({
      jobId,
      view: Math.min(view, INT32_MAX),
      application: Math.min(application, INT32_MAX),
      clickThrough: Math.min(clickThrough, INT32_MAX),
    }));
    const { data } = await bus.request(applyCounts, { body: { counts }, context: ownCall(APPLY_LIMIT_MS) });
    return new Set(data.unknown);
  },
});
