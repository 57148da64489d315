import type { Clock } from '@joblisting/service-kit';
import { deletionOf } from '../domain/change.ts';
import type { Job } from '../domain/job.ts';
import type { TombstoneStore } from '../store/tombstone-store.ts';
import type { CleanUp } from './clean-up.ts';

interface TakeBackDependencies {
  readonly clock: Clock;
  readonly tombstones: TombstoneStore;
  readonly cleanUp: CleanUp;
}

export type TakeBack = ReturnType<typeof takingBack>;

/** The client waits meanwhile, but its deadline does not count: the job must go. */
const LIMIT_MS = 1000;

/** Takes a committed job back that should not have been made, with what other services keep of it. */
export const takingBack =
  ({ clock, tombstones, cleanUp }: TakeBackDependencies) =>
  async (job: Job): Promise<void> => {
    await tombstones.discard(job, deletionOf(job, clock.now(), {}), Date.now() + LIMIT_MS);
    await cleanUp([job.id]);
  };
