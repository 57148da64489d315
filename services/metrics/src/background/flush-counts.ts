import { setTimeout as delay } from 'node:timers/promises';
import { INT32_MIN } from '@joblisting/contracts';
import { type Background, background, type Log } from '@joblisting/service-kit';
import type { JobsPeer } from '../peers/jobs.ts';
import type { AdditionStore } from '../store/additions.ts';
import type { CounterStore } from '../store/counter-store.ts';

const TOTALS_AT_ONCE = 1000;

/**
 * How long additions wait for more, so that a total is written and sent once for many events. Counts show within
 * 2 s: an addition may just miss a flush, and then takes another one. The rest is spare.
 */
const LONGEST_GATHER_MS = 1000;
const SHORTEST_GATHER_MS = 100;
const GATHER_AND_FLUSH_TWICE_MS = 1600;
/** A stop has other things to wait for as well. */
const LONGEST_LAST_FOLD_MS = 3000;

export interface Flusher {
  readonly start: () => void;
  /** Asks for a flush soon: new additions are there. */
  readonly nudge: () => void;
  readonly stop: () => Promise<void>;
}

/**
 * Folds additions into totals and sends changed totals to `jobs`: all that there are at start and every `everyMs`,
 * and soon after a nudge.
 * Totals are absolute, so what is sent twice, by two replicas or out of order does no harm.
 */
export function flusher(
  additions: AdditionStore,
  counters: CounterStore,
  jobs: JobsPeer,
  everyMs: number,
  log: Log,
): Flusher {
  let flushing: Background | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let gatherMs = LONGEST_GATHER_MS;

  const flush = async (): Promise<void> => {
    const since = performance.now();
    try {
      await additions.fold();
    } finally {
      // What was folded before is shown, though something cannot be.
      await sendChanged(counters, jobs);
    }
    const left = GATHER_AND_FLUSH_TWICE_MS - 2 * (performance.now() - since);
    gatherMs = Math.min(Math.max(left, SHORTEST_GATHER_MS), LONGEST_GATHER_MS);
  };

  return {
    start: () => {
      flushing = background('flush counts', everyMs, flush, log);
    },
    nudge: () => {
      gathering ??= setTimeout(() => {
        gathering = undefined;
        flushing?.nudge();
      }, gatherMs);
    },
    stop: async () => {
      clearTimeout(gathering);
      await flushing?.stop();
      // An earlier release that runs after this one knows totals only.
      const folded = additions
        .fold()
        .catch((err: unknown) => log.warn({ err }, 'counts wait for the next start'));
      await Promise.race([folded, delay(LONGEST_LAST_FOLD_MS, undefined, { ref: false })]);
    },
  };
}

async function sendChanged(counters: CounterStore, jobs: JobsPeer): Promise<void> {
  let after = INT32_MIN - 1;
  for (;;) {
    const totals = await counters.changed(after, TOTALS_AT_ONCE);
    const last = totals.at(-1);
    if (!last) return;
    const gone = await jobs.applyCounts(totals);
    await counters.settle(totals.filter(({ jobId }) => !gone.has(jobId)));
    await counters.forget([...gone]);
    after = last.jobId;
  }
}
