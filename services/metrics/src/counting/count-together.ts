import { newEvents, receipts } from '../domain/tally.ts';
import type { JobsPeer } from '../peers/jobs.ts';
import type { Ledger } from '../store/ledger.ts';
import type { CountTogether } from './queue.ts';

/**
 * Asks which jobs exist, then counts what is new. Nothing is remembered about jobs: an event that comes after a
 * job was deleted is rejected at once. `changed` hears that there are new totals.
 */
export function countTogetherWith(jobs: JobsPeer, ledger: Ledger, changed: () => void): CountTogether {
  return async (batches, deadline) => {
    const asked = new Set(batches.flat().map(({ jobId }) => jobId));
    const existing = await jobs.existing([...asked], deadline);
    const events = newEvents(batches, existing);
    const counted = events.size > 0 ? await ledger.count(events, deadline) : new Set<string>();
    if (counted.size < events.size) changed();
    return receipts(batches, existing, counted);
  };
}
