import { overloaded } from '@joblisting/contracts';
import type { DueStore } from '../store/due-store.ts';
import { inTime } from './in-time.ts';
import { sharedRuns } from './shared-runs.ts';
import { lastBegin } from './writes.ts';

export type SettleDue = ReturnType<typeof settling>;

/** Four times as many cost a tenth less each, but a chunk must end well within the socket's time-out. */
const CHUNK = 1000;

/** Nothing was listed, and soon it can be. */
const stillSettling = () =>
  overloaded('transitions_pending', 'So many jobs have changed their status that they cannot be listed yet.');

/**
 * Stores the transitions that have come at `now` (epoch ms), chunk by chunk: one index probe where nothing is due.
 *
 * In one process nobody settles what somebody else is at, which would cost the database more than twice as much: all
 * requests for a company share a run, and the background makes way for companies that somebody waits for.
 * @param nudgeOutbox called when transitions were stored
 * @param stopping ends every run before its next chunk: whoever waits is refused
 */
export function settling(
  due: Pick<DueStore, 'isDue' | 'settle'>,
  nudgeOutbox: () => void,
  stopping: AbortSignal,
) {
  /** Runs that have settled a chunk, and are still at it. */
  const long = new Set<Promise<unknown>>();

  const settleChunks = async function* (now: number, companyId?: number): AsyncGenerator<void> {
    for await (const _ of due.settle(companyId, now, CHUNK)) {
      nudgeOutbox();
      if (stopping.aborted) return;
      yield;
    }
  };

  /** Not given up where nobody has time to wait for it: it must be done in any case. */
  const ofCompany = sharedRuns<number, number>(async (companyId, clocks) => {
    const ended = Promise.withResolvers<void>();
    try {
      for await (const _ of settleChunks(Math.max(...clocks), companyId)) long.add(ended.promise);
      if (stopping.aborted) throw stillSettling();
    } finally {
      long.delete(ended.promise);
      ended.resolve();
    }
  });

  /** Resolves when no request waits for jobs to be settled: each of these runs leaves less to do. */
  const makeWay = async (): Promise<void> => {
    while (long.size > 0) await Promise.all(long);
  };

  return {
    makeWay,

    /** Those of one company. Throws `overloaded` where that takes too long for `deadline` (epoch ms), and goes on. */
    ofCompany: (companyId: number, now: number, deadline: number): Promise<void> =>
      inTime(ofCompany(companyId, now), lastBegin(deadline), stillSettling),

    all: async (now: number): Promise<void> => {
      if (!(await due.isDue(now))) return;
      await makeWay();
      for await (const _ of settleChunks(now)) await makeWay();
    },
  };
}
