import type { JobsClient } from '../clients/jobs.ts';
import { chunksOf } from '../domain/tally.ts';
import type { CounterStore } from '../store/counter-store.ts';

const JOBS_AT_ONCE = 10_000;
const TOTALS_AT_ONCE = 1000;

/**
 * Sends changed totals to `jobs`. Totals are absolute, so one that is sent twice, by two replicas or out of order does no
 * harm.
 */
export async function sendCounts(counters: CounterStore, jobs: JobsClient): Promise<void> {
  for (;;) {
    const { marks, jobIds, isFull } = await counters.findUnsent(JOBS_AT_ONCE);
    if (marks.length === 0) return;
    for (const ids of chunksOf(jobIds, TOTALS_AT_ONCE)) {
      const totals = await counters.totalsOf(ids);
      const deleted = await jobs.applyCounts(totals);
      await counters.forget([...deleted]);
    }
    await counters.dropMarks(marks);
    if (!isFull) return;
  }
}
