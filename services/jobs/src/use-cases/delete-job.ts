import type { CallContext } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import { deletionOf } from '../domain/change.ts';
import type { Job } from '../domain/job.ts';
import type { JobStore } from '../store/job-store.ts';
import type { TombstoneStore } from '../store/tombstone-store.ts';
import type { CleanUp } from './clean-up.ts';
import { type IfMatch, requireVersion } from './refusals.ts';
import { requesterOf } from './requester.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

interface DeleteDependencies {
  readonly clock: Clock;
  readonly jobs: JobStore;
  readonly tombstones: TombstoneStore;
  readonly cleanUp: CleanUp;
}

export type DeleteJob = ReturnType<typeof jobDeletion>;

/** Deletes the job that `load` finds, by compare-and-set on its version, then what other services keep of it. */
export function jobDeletion({ clock, jobs, tombstones, cleanUp }: DeleteDependencies) {
  return async (
    load: () => Promise<Job | undefined>,
    ifMatch: IfMatch,
    context: CallContext,
  ): Promise<void> => {
    const { deadline } = context;
    const deletedId = await retryOnConflict(deadline, async () => {
      const stored = await load();
      if (!stored) throw new ServiceError('job_not_found');
      const now = clock.now();
      const job = await jobs.storeDueTransitions(stored, now, deadline);
      requireVersion(job, ifMatch);
      await tombstones.bury(job, deletionOf(job, now, requesterOf(context)), deadline);
      return job.id;
    });
    await cleanUp([deletedId]);
  };
}
