import { type Clock, type Log, ownCall } from '@joblisting/service-kit';
import type { JobsClient } from '../clients/jobs.ts';
import { judgeAll } from '../domain/reference.ts';
import type { ReferenceStore } from '../store/reference-store.ts';

const BATCH = 1000;
const LIMIT_MS = 3000;

interface SweepOptions {
  readonly references: ReferenceStore;
  readonly jobs: JobsClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the sweep after the current batch. */
  readonly stopping: AbortSignal;
}

/**
 * Checks the references that are due, and drops those that a crash or a lost release left behind. Replicas that sweep
 * at once do the same work twice, without harm.
 */
export function sweeper({ references, jobs, clock, log, stopping }: SweepOptions): () => Promise<void> {
  return async () => {
    while (!stopping.aborted) {
      const now = clock.now();
      const due = await references.due(now, BATCH);
      const context = ownCall(LIMIT_MS);
      const { held, dead } = judgeAll(due, await jobs.jobsOf(due, context), clock.now());
      const dropped = await references.dropUnchanged(dead, context.deadline);
      await references.confirm(held, now);
      if (dropped > 0) log.info({ dropped }, 'dropped references that no job has');
      const isStuck = held.length + dropped === 0;
      if (due.length < BATCH || isStuck) return;
    }
  };
}
