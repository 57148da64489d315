import { type Clock, type Log, ownCall } from '@joblisting/service-kit';
import type { ReferenceStore } from '../store/reference-store.ts';
import type { Examine } from './examine.ts';

const BATCH = 1000;
const LIMIT_MS = 3000;

interface SweepOptions {
  readonly references: ReferenceStore;
  readonly examine: Examine;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the sweep after the batch that is under way. */
  readonly stopping: AbortSignal;
}

/**
 * Checks all references whose turn it is, and drops those that a crash or a lost release left behind. Replicas that
 * sweep at once do the same work twice, and no harm.
 */
export function sweepWith({ references, examine, clock, log, stopping }: SweepOptions): () => Promise<void> {
  return async () => {
    while (!stopping.aborted) {
      const now = clock.now();
      const due = await references.due(now, BATCH);
      const context = ownCall(LIMIT_MS);
      const { held, dead } = await examine(due, context);
      const dropped = await references.drop(dead, context.deadline);
      await references.confirm(held, now);
      if (dropped > 0) log.info({ dropped }, 'dropped references that no job has');
      const nothingSettled = held.length + dropped === 0;
      if (due.length < BATCH || nothingSettled) return;
    }
  };
}
