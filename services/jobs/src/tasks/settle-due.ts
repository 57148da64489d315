import { overloaded } from '@joblisting/contracts';
import { semaphore, singleFlight, withTimeout } from '@joblisting/service-kit';
import type { DueStore } from '../store/due-store.ts';
import { lastStart } from '../store/retry-on-conflict.ts';

export type SettleDue = ReturnType<typeof settleDue>;

/** At noon many companies may be listed at once. More runs would take the connections of all other requests. */
const MAX_CONCURRENT = 4;
/** Longer than the socket's time-out. */
const STUCK_MS = 2500;

const pending = () =>
  overloaded('transitions_pending', 'Too many status changes are due; the list is not ready yet.');

/** Stores the due transitions, company by company. Replicas may do so concurrently. */
export function settleDue(due: DueStore, stopping: AbortSignal) {
  const oneRun = singleFlight<{ found: number; now: number }>({ stuckMs: STUCK_MS });
  const limited = semaphore(MAX_CONCURRENT);

  /** Concurrent calls for one company share each run of a chunk. */
  const settleCompany = async (companyId: number, now: number, giveUpAt = Infinity): Promise<void> => {
    while (!stopping.aborted && Date.now() < giveUpAt) {
      const run = await oneRun(`${companyId}`, async () => ({
        found: await limited(() => due.storeSome(companyId, now)),
        now,
      }));
      // A shared run may have used an earlier `now`.
      if (run.found === 0 && run.now >= now) return;
    }
  };

  return {
    /**
     * Stores the due transitions of one company at `now` (epoch ms). Throws `overloaded` (`transitions_pending`) if
     * that takes too long for `deadline` (epoch ms); the task then settles the rest.
     */
    ofCompany: async (companyId: number, now: number, deadline: number): Promise<void> => {
      const giveUpAt = lastStart(deadline);
      await withTimeout(settleCompany(companyId, now, giveUpAt), giveUpAt - Date.now(), pending);
      if (Date.now() >= giveUpAt) throw pending();
      if (stopping.aborted) throw overloaded('stopping');
    },

    all: async (now: number): Promise<void> => {
      let next = await due.dueCompany(now);
      while (next !== undefined && !stopping.aborted) {
        await settleCompany(next, now);
        next = await due.dueCompany(now);
      }
    },
  };
}
