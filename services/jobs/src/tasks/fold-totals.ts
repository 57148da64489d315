import { setTimeout as delay } from 'node:timers/promises';
import type { ListStore } from '../store/list-store.ts';

/** Small, because the transaction blocks other writers of its jobs. */
const BATCH = 100;

interface FoldDeps {
  readonly lists: Pick<ListStore, 'nextToFold' | 'fold'>;
  /** Due transitions come first, because lists are exact without folding. */
  readonly isDue: () => Promise<boolean>;
  readonly stopping: AbortSignal;
}

/**
 * Folds changes into the totals of lists, one batch of each company in rotation, as long as batches are full. Later
 * changes wait for the next run: a batch for each write would cost more than the write.
 */
export function foldTotals({ lists, isDue, stopping }: FoldDeps) {
  return async (): Promise<void> => {
    let mayHaveMore = false;
    let companyId = await lists.nextToFold(0);
    while (companyId !== undefined && !stopping.aborted) {
      const startedAt = performance.now();
      const folded = await lists.fold(companyId, BATCH);
      mayHaveMore ||= folded >= BATCH;
      // At least one batch per run: a job that cannot be settled must not stop all folding.
      if (await isDue()) return;
      // Pauses as long as the batch took, which leaves half of the time to requests.
      await delay(performance.now() - startedAt);
      companyId = await lists.nextToFold(companyId);
      if (companyId === undefined && mayHaveMore) {
        mayHaveMore = false;
        companyId = await lists.nextToFold(0);
      }
    }
  };
}
