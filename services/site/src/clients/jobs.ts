import type { Bus } from '@joblisting/bus';
import { type BodyOf, type PublicJob, readPublicJobs } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';

export type JobsClient = ReturnType<typeof jobsClient>;

export interface PublicPage {
  readonly jobs: readonly PublicJob[];
  /** The id to go on after; null at the end. */
  readonly next: number | null;
}

const READ_LIMIT_MS = 5000;

/** What this service requests of `jobs`. */
export const jobsClient = (bus: Bus) => ({
  /** Jobs that are Published now, in order of id. */
  read: async (selection: BodyOf<typeof readPublicJobs>): Promise<PublicPage> =>
    (await bus.request(readPublicJobs, { params: {}, body: selection, context: ownCall(READ_LIMIT_MS) }))
      .data,
});
