import type { Bus, CallContext } from '@joblisting/bus';
import { forgetJobs } from '@joblisting/contracts';

export type CountersPeer = ReturnType<typeof countersPeer>;

/** What this service asks of `metrics`. */
export const countersPeer = (bus: Bus) => ({
  /** Drops the counters of jobs that are gone. */
  forget: async (jobIds: readonly number[], context: CallContext): Promise<void> => {
    await bus.request(forgetJobs, { body: { jobIds }, context });
  },
});
