import type { CallContext } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import type { Job } from '../domain/job.ts';
import { settle } from '../domain/status.ts';
import type { TombstoneStore } from '../store/tombstone-store.ts';
import type { CleanUp } from './clean-up.ts';
import { type IfMatch, requireVersion } from './refusals.ts';
import { LOST, type Writes } from './writes.ts';

interface DeleteDependencies {
  readonly clock: Clock;
  readonly tombstones: TombstoneStore;
  readonly cleanUp: CleanUp;
  readonly writes: Writes;
  readonly nudgeOutbox: () => void;
}

export type DeleteJob = ReturnType<typeof jobDeletion>;

/** Deletes the job that `load` finds, by compare-and-set on its version, then what other services keep of it. */
export function jobDeletion({ clock, tombstones, cleanUp, writes, nudgeOutbox }: DeleteDependencies) {
  return async (
    load: () => Promise<Job | undefined>,
    ifMatch: IfMatch,
    context: CallContext,
  ): Promise<void> => {
    const deletedId = await writes.untilWritten(context.deadline, async () => {
      const stored = await load();
      if (!stored) throw new ServiceError('job_not_found');
      const now = clock.now();
      const { job, passed } = settle(stored, now);
      requireVersion(job, ifMatch);
      if (!(await tombstones.bury(stored, passed, now, context.deadline))) return LOST;
      if (passed.length > 0) nudgeOutbox();
      return stored.id;
    });
    await cleanUp([deletedId]);
  };
}
