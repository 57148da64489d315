import type { CallContext } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import type { Job } from '../domain/job.ts';
import { settle } from '../domain/status.ts';
import type { TombstoneStore } from '../store/tombstone-store.ts';
import type { CleanUp } from './clean-up.ts';
import { ATTEMPTS, contended, type IfMatch, requireVersion } from './refusals.ts';

export type DeleteJob = ReturnType<typeof jobDeletion>;

/** Deletes the job that `load` finds, by compare-and-set on its version, then what other services keep of it. */
export function jobDeletion(clock: Clock, tombstones: TombstoneStore, cleanUp: CleanUp) {
  return async (
    load: () => Promise<Job | undefined>,
    ifMatch: IfMatch,
    context: CallContext,
  ): Promise<void> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const stored = await load();
      if (!stored) throw new ServiceError('job_not_found');
      const now = clock.now();
      requireVersion(settle(stored, now).job, ifMatch);
      const { id, version, company } = stored;
      if (!(await tombstones.bury({ id, version, companyId: company.id }, now, context.deadline))) continue;
      await cleanUp([id]);
      return;
    }
    throw contended();
  };
}
