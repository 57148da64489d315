import type { Bus } from '@joblisting/bus';
import { findExistingJobs } from '@joblisting/contracts';
import { type Log, ownCall } from '@joblisting/service-kit';
import type { LinkStore } from './link-store.ts';
import type { StoredLink } from './stored-link.ts';

type Unconfirmed = Pick<StoredLink, 'jobId' | 'missed'>;

const BATCH = 500;
const LIMIT_MS = 3000;

/**
 * Removes links of jobs that never came to be: those made ahead for jobs that nobody made, and those of jobs whose making
 * was broken off after the link was made, and `jobs` could not say so. Replicas that sweep at once do the same work twice,
 * and no harm.
 *
 * Each such job is missed twice before its link goes: where a clock was set, or differs between replicas, links seem old
 * that are about to be given to jobs, but time passes between two looks all the same.
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
      const due = await links.unconfirmed(BATCH, dueBy);
      if (due.length === 0) return;
      const ids = due.map(({ jobId }) => jobId);
      const { data } = await bus.request(findExistingJobs, { body: { ids }, context: ownCall(LIMIT_MS) });
      await links.confirm(data.ids);
      const existing = new Set(data.ids);
      const unknown = due.filter(({ jobId }) => !existing.has(jobId));
      const [again, first] = [idsOf(unknown, true), idsOf(unknown, undefined)];
      await links.miss(first, dueBy);
      const removed = await links.removeByJobs(again, dueBy);
      if (removed > 0) {
        log.info({ removed }, 'removed links of jobs that do not exist');
        nudge();
      }
      if (due.length < BATCH) return;
    }
  };
}

const idsOf = (some: readonly Unconfirmed[], missed: true | undefined): number[] =>
  some.filter((one) => one.missed === missed).map(({ jobId }) => jobId);
