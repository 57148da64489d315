import type { Bus, CallContext } from '@joblisting/bus';
import { forgetJobs } from '@joblisting/contracts';

export type CountersClient = ReturnType<typeof countersClient>;

/** What this service asks of `metrics`. */
export const countersClient = (bus: Bus) => ({
  /** Drops the counters of jobs that are gone. */
  forget: async (jobIds: readonly number[], context: CallContext): Promise<void> => {
    await bus.request(forgetJobs, { body: { jobIds }, context });
  },
});
