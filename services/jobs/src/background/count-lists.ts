import { setTimeout as delay } from 'node:timers/promises';
import type { TaskOutcome } from '@joblisting/service-kit';
import type { ListCounting, Position } from '../store/list-counting.ts';
import type { BatchId } from '../store/list-documents.ts';
import type { ListRecount } from '../store/list-recount.ts';

/** Where the database is slow, a batch that it cannot do in time is tried again with half as many jobs. */
const MOST = 500;
const LEAST = 20;

interface CountingDependencies {
  readonly counting: ListCounting;
  readonly recount: ListRecount;
  /** Whether transitions are to be stored: they come first, and would be counted one by one otherwise. */
  readonly isDue: () => Promise<boolean>;
  readonly stopping: AbortSignal;
}

/**
 * Counts the jobs that the lists do not count yet, all companies in turn, after it has made way for companies that
 * are counted anew. Of several replicas, those that find another one at it leave it to that one, unless it does not
 * come to an end by the next turn: it may be gone. Idle where nothing is to be counted.
 */
export function countLists({ counting, recount, isDue, stopping }: CountingDependencies) {
  let size = MOST;
  let seen: BatchId | undefined;

  /** Half of the time is left to requests: lists are right without it. */
  const countSome = async (after: Position): Promise<Position | undefined> => {
    const began = Date.now();
    try {
      const next = await counting.count(after, size);
      size = Math.min(size * 2, MOST);
      if (next) await delay(Date.now() - began);
      return next;
    } catch (error) {
      size = Math.max(Math.floor(size / 2), LEAST);
      throw error;
    }
  };

  const isSomebodyAtIt = (open: BatchId | undefined): boolean => {
    const isNew = open !== undefined && !seen?.equals(open);
    seen = open;
    return isNew;
  };

  const makeAnew = async (): Promise<void> => {
    for (let next = await recount.next(); next && !stopping.aborted; next = await recount.next()) {
      // From now on no batch has jobs of this company, but for one that is open already.
      await counting.finish();
      await recount.forget(next);
    }
  };

  return async (): Promise<TaskOutcome> => {
    const state = await counting.state();
    if (!state.isPrepared) await recount.prepare();
    if (isSomebodyAtIt(state.open)) return;
    if (state.open) await counting.finish();
    if (state.isRecounting || !state.isPrepared) await makeAnew();
    if (!(await counting.isBehind())) return 'idle';
    let after: Position | undefined = counting.first;
    while (after && !stopping.aborted && !(await isDue())) after = await countSome(after);
  };
}
