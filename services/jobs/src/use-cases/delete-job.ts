import type { CallContext } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import type { Job } from '../domain/job.ts';
import { settle } from '../domain/status.ts';
import type { TombstoneStore } from '../store/tombstone-store.ts';
import type { CleanUp } from './clean-up.ts';
import { ATTEMPTS, contended, type IfMatch, requireVersion } from './refusals.ts';

interface DeleteDependencies {
  readonly clock: Clock;
  readonly tombstones: TombstoneStore;
  readonly cleanUp: CleanUp;
  readonly nudgeOutbox: () => void;
}

export type DeleteJob = ReturnType<typeof jobDeletion>;

/** Deletes the job that `load` finds, by compare-and-set on its version, then what other services keep of it. */
export function jobDeletion({ clock, tombstones, cleanUp, nudgeOutbox }: DeleteDependencies) {
  return async (
    load: () => Promise<Job | undefined>,
    ifMatch: IfMatch,
    context: CallContext,
  ): Promise<void> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const stored = await load();
      if (!stored) throw new ServiceError('job_not_found');
      const now = clock.now();
      const { job, passed } = settle(stored, now);
      requireVersion(job, ifMatch);
      if (!(await tombstones.bury(stored, passed, now, context.deadline))) continue;
      if (passed.length > 0) nudgeOutbox();
      await cleanUp([stored.id]);
      return;
    }
    throw contended();
  };
}
