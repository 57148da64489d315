import type { Bus, CallContext } from '@joblisting/bus';
import { type BodyOf, type ChangedJob, readJobHeaders } from '@joblisting/contracts';

export type JobsClient = ReturnType<typeof jobsClient>;

/** Requests to the owner of jobs. They reject as the bus does. */
export function jobsClient(bus: Bus) {
  return {
    /** In order of id; jobs that do not exist are left out. */
    headers: async (body: BodyOf<typeof readJobHeaders>, context: CallContext): Promise<ChangedJob[]> =>
      (await bus.request(readJobHeaders, { params: {}, body, context })).data.jobs,
  };
}
