import type { Bus } from '@joblisting/bus';
import { findExistingJobs } from '@joblisting/contracts';
import { type Log, ownCall } from '@joblisting/service-kit';
import type { LinkStore } from '../link-store.ts';

interface Deps {
  readonly bus: Bus;
  readonly links: LinkStore;
  readonly log: Log;
  readonly onRemoved: () => void;
}

const BATCH = 500;
const LIMIT_MS = 3000;

/**
 * Removes links of jobs that were never created: their requests ended after the link was made, and `jobs` could not
 * report it. Replicas may sweep concurrently.
 */
export function sweepLinks({ bus, links, log, onRemoved }: Deps, stopping: AbortSignal): () => Promise<void> {
  return async () => {
    while (!stopping.aborted) {
      const ids = await links.unconfirmedJobs(BATCH);
      if (ids.length === 0) return;
      const { data } = await bus.request(findExistingJobs, { body: { ids }, context: ownCall(LIMIT_MS) });
      await links.confirm(data.ids);
      const existing = new Set(data.ids);
      const removed = await links.removeByJobs(ids.filter((id) => !existing.has(id)));
      if (removed === 0) continue;
      log.info({ removed }, 'removed links of jobs that do not exist');
      onRemoved();
    }
  };
}
