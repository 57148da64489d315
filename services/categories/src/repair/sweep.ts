import { type Clock, type Log, ownCall } from '@joblisting/service-kit';
import type { ReferenceStore } from '../store/reference-store.ts';
import type { Reconcile } from './reconcile.ts';

const BATCH = 1000;
const LIMIT_MS = 3000;

/** Checks all references whose turn it is. Replicas that sweep at once do the same work twice, and no harm. */
export function sweepWith(
  store: ReferenceStore,
  reconcile: Reconcile,
  clock: Clock,
  log: Log,
): () => Promise<void> {
  return async () => {
    for (;;) {
      const now = clock.now();
      const due = await store.due(now, BATCH);
      const { held, dropped } = await reconcile(due, ownCall(LIMIT_MS));
      if (held.length > 0) await store.confirm(held, now);
      if (dropped > 0) log.info({ dropped }, 'dropped references that no job has');
      const nothingSettled = held.length + dropped === 0;
      if (due.length < BATCH || nothingSettled) return;
    }
  };
}
