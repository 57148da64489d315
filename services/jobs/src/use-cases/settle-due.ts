import { overloaded } from '@joblisting/contracts';
import type { DueStore } from '../store/due-store.ts';
import { lastBegin } from './writes.ts';

export type SettleDue = ReturnType<typeof settling>;

const CHUNK = 1000;

/** Nothing was listed, and soon it can be. */
const stillSettling = () =>
  overloaded('So many jobs have changed their status that they cannot be listed yet.');

/**
 * Stores the transitions that have come at `now` (epoch ms), chunk by chunk: one index probe where nothing is due.
 * @param nudgeOutbox called when transitions were stored
 */
export function settling(due: Pick<DueStore, 'settle'>, nudgeOutbox: () => void) {
  const settleChunk = async (now: number, companyId?: number): Promise<boolean> => {
    const found = await due.settle(companyId, now, CHUNK);
    if (found > 0) nudgeOutbox();
    return found === CHUNK;
  };

  return {
    /** Those of one company. Throws `overloaded` where that takes too long for `deadline` (epoch ms); what is settled stays settled. */
    ofCompany: async (companyId: number, now: number, deadline: number): Promise<void> => {
      while (await settleChunk(now, companyId)) {
        if (Date.now() >= lastBegin(deadline)) throw stillSettling();
      }
    },

    all: async (now: number, stopping: AbortSignal): Promise<void> => {
      let more = true;
      while (more && !stopping.aborted) more = await settleChunk(now);
    },
  };
}
