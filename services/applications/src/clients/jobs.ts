import type { Bus, CallContext } from '@joblisting/bus';
import { type ApplicationTarget, getApplicationTarget } from '@joblisting/contracts';

export type JobsClient = ReturnType<typeof jobsClient>;

/** What this service requests of `jobs`. */
export const jobsClient = (bus: Bus) => ({
  /** Where applications for the job go now. Rejects with `job_not_found`. */
  target: async (id: number, context: CallContext): Promise<ApplicationTarget> =>
    (await bus.request(getApplicationTarget, { params: { id }, context })).data,
});
