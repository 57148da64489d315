import type { Bus, CallContext } from '@joblisting/bus';
import { forgetJobs } from '@joblisting/contracts';

export type CountersClient = ReturnType<typeof countersClient>;

/** The requests of this service to `metrics`. */
export const countersClient = (bus: Bus) => ({
  /** Drops the counters of deleted jobs. */
  forget: async (jobIds: readonly number[], context: CallContext): Promise<void> => {
    await bus.request(forgetJobs, { body: { jobIds }, context });
  },
});
