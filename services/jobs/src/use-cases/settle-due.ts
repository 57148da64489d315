import { overloaded } from '@joblisting/contracts';
import type { DueStore } from '../store/due-store.ts';
import { inTime } from './in-time.ts';
import { sharedRuns } from './shared-runs.ts';
import { lastBegin } from './writes.ts';

export type SettleDue = ReturnType<typeof settling>;

/** Twice as many cost a tenth less each, and half as many a tenth more. It must end well within the socket's time-out. */
const CHUNK = 2000;

/** When somebody asked, and until when there is time. Epoch milliseconds. */
interface Asked {
  readonly now: number;
  readonly deadline: number;
}

/** Nothing was listed, and soon it can be. */
const stillSettling = () =>
  overloaded('So many jobs have changed their status that they cannot be listed yet.');

/**
 * Stores the transitions that have come at `now` (epoch ms), chunk by chunk: one index probe where nothing is due.
 *
 * In one process nobody settles what somebody else is at, which would cost the database more than twice as much: all
 * requests for a company share a run, and the background makes way for companies that somebody waits for.
 * @param nudgeOutbox called when transitions were stored
 */
export function settling(due: Pick<DueStore, 'settle'>, nudgeOutbox: () => void) {
  /** Runs that have found more than a chunk. */
  const long = new Set<Promise<void>>();

  const settleChunk = async (now: number, companyId?: number): Promise<boolean> => {
    const found = await due.settle(companyId, now, CHUNK);
    if (found > 0) nudgeOutbox();
    return found === CHUNK;
  };

  const settleRest = async (companyId: number, { now, deadline }: Asked): Promise<void> => {
    do {
      if (Date.now() >= lastBegin(deadline)) throw stillSettling();
    } while (await settleChunk(now, companyId));
  };

  const ofCompany = sharedRuns<number, Asked>(async (companyId, asked) => {
    const now = Math.max(...asked.map((one) => one.now));
    const deadline = Math.max(...asked.map((one) => one.deadline));
    if (!(await settleChunk(now, companyId))) return;
    const rest = settleRest(companyId, { now, deadline });
    long.add(rest);
    await rest.finally(() => long.delete(rest));
  });

  /** Comes to an end: each of these runs leaves less to do. */
  const makeWay = async (): Promise<void> => {
    while (long.size > 0) await Promise.allSettled(long);
  };

  return {
    /** Those of one company. Throws `overloaded` where that takes too long for `deadline` (epoch ms); what is settled stays settled. */
    ofCompany: (companyId: number, now: number, deadline: number): Promise<void> =>
      inTime(ofCompany(companyId, { now, deadline }), lastBegin(deadline), stillSettling),

    all: async (now: number, stopping: AbortSignal): Promise<void> => {
      let more = true;
      while (more && !stopping.aborted) {
        await makeWay();
        more = await settleChunk(now);
      }
    },
  };
}
