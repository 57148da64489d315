import type { Bus } from '@joblisting/bus';
import { findExistingJobs } from '@joblisting/contracts';
import { type Log, ownCall } from '@joblisting/service-kit';
import type { LinkStore } from './link-store.ts';

const BATCH = 500;
const LIMIT_MS = 3000;

/**
 * Removes links of jobs that never came to be: those made ahead for jobs that nobody made, and those of jobs whose making
 * was broken off after the link was made, and `jobs` could not say so. Replicas that sweep at once do the same work twice, and no harm.
 * @param nudge called after a removal
 */
export function sweepLinks(
  bus: Bus,
  links: LinkStore,
  nudge: () => void,
  log: Log,
  stopping: AbortSignal,
): () => Promise<void> {
  return async () => {
    while (!stopping.aborted) {
      const dueBy = new Date();
      const ids = await links.unconfirmed(BATCH, dueBy);
      if (ids.length === 0) return;
      const { data } = await bus.request(findExistingJobs, { body: { ids }, context: ownCall(LIMIT_MS) });
      await links.confirm(data.ids);
      const existing = new Set(data.ids);
      const unknown = ids.filter((id) => !existing.has(id));
      // One that was asked for again meanwhile is of a job that is being made.
      const removed = await links.removeByJobs(unknown, dueBy);
      if (removed > 0) {
        log.info({ removed }, 'removed links of jobs that do not exist');
        nudge();
      }
      if (ids.length < BATCH) return;
    }
  };
}
