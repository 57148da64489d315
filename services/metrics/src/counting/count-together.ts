import type { JobsPeer } from '../peers/jobs.ts';
import type { Ledger } from '../store/ledger.ts';
import type { CountTogether } from './queue.ts';

/**
 * Asks which jobs exist, then counts what is new. Nothing is remembered about jobs: an event that comes after a
 * job was deleted is rejected at once. `changed` hears that there are new totals.
 */
export function countTogetherWith(jobs: JobsPeer, ledger: Ledger, changed: () => void): CountTogether {
  return async (batches, deadline) => {
    const asked = new Set(batches.flatMap(({ events }) => events.map(({ jobId }) => jobId)));
    const existing = await jobs.existing([...asked], deadline);
    const { outcomes, fresh } = await ledger.record(batches, existing, deadline);
    if (fresh > 0) changed();
    return outcomes;
  };
}
