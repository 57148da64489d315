import { LINK_AHEAD_MS } from '@joblisting/contracts';
import type { NextId } from '@joblisting/service-kit';
import type { NewId } from '../domain/job.ts';

interface NewIdsDependencies {
  readonly nextId: NextId;
  /** Makes the short links of jobs that may come to be: of as many as are to be had. */
  readonly createAhead: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;
  /** The machine's time, epoch milliseconds. */
  readonly now: () => number;
}

/** Fewer jobs in a second make their links themselves: what is made ahead for them would mostly be made for nothing. */
const FEWEST = 16;
/** One request makes no more. */
const MOST = 100;
const WINDOW_MS = 1000;
/** Where no links are made ahead, that is not asked for with each job. */
const REST_MS = 10_000;

/**
 * Hands out the ids of new jobs. Where many are made, those of the next jobs get their short links ahead, as many as jobs
 * were made in the last second: no job waits for its link then, and `shortlink` makes a hundred of them by one request.
 */
export function newIds({ nextId, createAhead, now }: NewIdsDependencies): () => Promise<NewId> {
  const ready: (NewId & { readonly usableUntil: number })[] = [];
  const recent = recentCount(now);
  let isMaking = false;
  let restsUntil = 0;

  const make = async (count: number): Promise<void> => {
    const usableUntil = now() + LINK_AHEAD_MS;
    const ids = await Promise.all(Array.from({ length: count }, nextId));
    const urls = await createAhead(ids).catch(() => new Map<number, string>());
    if (urls.size === 0) restsUntil = now() + REST_MS;
    ready.push(...ids.map((id) => ({ id, url: urls.get(id), usableUntil })));
  };

  const makeAhead = (count: number): void => {
    if (isMaking || count < FEWEST || ready.length > count / 2 || now() < restsUntil) return;
    isMaking = true;
    void make(count)
      .catch(() => {
        restsUntil = now() + REST_MS;
      })
      .finally(() => {
        isMaking = false;
      });
  };

  return async () => {
    makeAhead(Math.min(MOST, recent()));
    const first = ready.shift();
    if (!first) return { id: await nextId(), url: undefined };
    return { id: first.id, url: now() < first.usableUntil ? first.url : undefined };
  };
}

/** Counts its calls. Answers how many there were in the last second, or the one before, whichever were more. */
function recentCount(now: () => number): () => number {
  let since = 0;
  let before = 0;
  let count = 0;
  return () => {
    const passed = now() - since;
    if (passed < 0 || passed >= WINDOW_MS) {
      before = passed < 0 || passed >= 2 * WINDOW_MS ? 0 : count;
      since = now();
      count = 0;
    }
    count += 1;
    return Math.max(before, count);
  };
}
