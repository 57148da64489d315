import { setTimeout as delay } from 'node:timers/promises';
import type { ListStore } from '../store/list-store.ts';

/** A transaction keeps other writers of its jobs waiting: 20 ms for so many. */
const BATCH = 100;

interface FoldDeps {
  readonly lists: Pick<ListStore, 'nextToFold' | 'fold'>;
  /** Whether transitions are due: these come first, for lists are exact without folding. */
  readonly isDue: () => Promise<boolean>;
  readonly stopping: AbortSignal;
}

/**
 * Folds what writes have changed into the totals of lists, a batch of each company in turn, as long as batches are full.
 * What is written meanwhile is left to the next run: a batch for each write would cost more than the write.
 */
export function foldTotals({ lists, isDue, stopping }: FoldDeps) {
  return async (): Promise<void> => {
    let isMore = false;
    let companyId = await lists.nextToFold(0);
    while (companyId !== undefined && !stopping.aborted) {
      const startedAt = performance.now();
      const folded = await lists.fold(companyId, BATCH);
      isMore ||= folded >= BATCH;
      // One batch a run in any case: a job that cannot be settled must not stop the rest.
      if (await isDue()) return;
      // Leaves half of the time to requests.
      await delay(performance.now() - startedAt);
      companyId = await lists.nextToFold(companyId);
      if (companyId === undefined && isMore) {
        isMore = false;
        companyId = await lists.nextToFold(0);
      }
    }
  };
}
