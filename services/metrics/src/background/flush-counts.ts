import { INT32_MIN } from '@joblisting/contracts';
import { type Background, background, type Log } from '@joblisting/service-kit';
import type { JobsPeer } from '../peers/jobs.ts';
import type { CounterStore } from '../store/counter-store.ts';

const TOTALS_AT_ONCE = 1000;

/** How long new totals wait for more: well inside the 2 s in which counts show, and a commit is not a flush each. */
const GATHER_MS = 500;

export interface Flusher {
  readonly start: () => void;
  /** Asks for a flush soon: new totals are there. */
  readonly nudge: () => void;
  readonly stop: () => Promise<void>;
}

/**
 * Sends changed totals to `jobs`: all that there are at start and every `everyMs`, and soon after a nudge.
 * Totals are absolute, so what is sent twice, by two replicas or out of order does no harm.
 */
export function flusher(counters: CounterStore, jobs: JobsPeer, everyMs: number, log: Log): Flusher {
  let flushing: Background | undefined;
  let gathering: NodeJS.Timeout | undefined;
  return {
    start: () => {
      flushing = background('flush counts', everyMs, flushWith(counters, jobs), log);
    },
    nudge: () => {
      gathering ??= setTimeout(() => {
        gathering = undefined;
        flushing?.nudge();
      }, GATHER_MS);
    },
    stop: async () => {
      clearTimeout(gathering);
      await flushing?.stop();
    },
  };
}

function flushWith(counters: CounterStore, jobs: JobsPeer): () => Promise<void> {
  return async () => {
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
  };
}
