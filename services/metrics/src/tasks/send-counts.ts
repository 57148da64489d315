import type { JobsClient } from '../clients/jobs.ts';
import { chunksOf, type JobCounts } from '../domain/tally.ts';
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
      await counters.forget([...deleted, ...idsWithout(totals, ids)]);
    }
    await counters.dropMarks(marks);
    if (!isFull) return;
  }
}

/** Marked jobs without totals were forgotten, but maybe not to the end. */
function idsWithout(totals: readonly JobCounts[], ids: readonly number[]): number[] {
  const found = new Set(totals.map(({ jobId }) => jobId));
  return ids.filter((id) => !found.has(id));
}
