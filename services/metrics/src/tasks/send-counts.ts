import { INT32_MIN } from '@joblisting/contracts';
import type { JobsClient } from '../clients/jobs.ts';
import type { CounterStore } from '../store/counter-store.ts';

const TOTALS_AT_ONCE = 1000;

/**
 * Sends changed totals to `jobs`. Totals are absolute, so one that is sent twice, by two replicas or out of order does no
 * harm.
 */
export async function sendCounts(counters: CounterStore, jobs: JobsClient): Promise<void> {
  let after = INT32_MIN - 1;
  for (;;) {
    const totals = await counters.changed(after, TOTALS_AT_ONCE);
    const last = totals.at(-1);
    if (!last) return;
    const deleted = await jobs.applyCounts(totals);
    await counters.markSent(totals.filter(({ jobId }) => !deleted.has(jobId)));
    await counters.forget([...deleted]);
    after = last.jobId;
  }
}
