import { setTimeout as delay } from 'node:timers/promises';
import { turns } from './in-turn.ts';
import { contended } from './refusals.ts';

/** A write that another one was faster than: it is to be decided anew. */
export const LOST = Symbol('lost');

/** How writes to one job get along with each other. Deadlines are those of the requests, in epoch milliseconds. */
export interface Writes {
  /**
   * One write at a time to what `key` names, in this process, so that they do not make each other lose. Rejects
   * with `overloaded`, the work not begun, where its turn does not come in time.
   */
  readonly inTurn: <T>(key: string, deadline: number, work: () => Promise<T>) => Promise<T>;
  /** Repeats `attempt` until it does not lose. Rejects with `overloaded` where it has lost until the end. */
  readonly untilWritten: <T>(
    deadline: number,
    attempt: (run: number) => Promise<T | typeof LOST>,
  ) => Promise<T>;
}

/** What an attempt and the way of its answer take: work that is not begun before is refused, not left to time out. */
const ROOM_MS = 300;
const FIRST_PAUSE_MS = 3;
const LONGEST_PAUSE_MS = 100;

/** No work begins, or waits for its turn, after this (epoch ms): there would be no time to commit it. */
export const lastBegin = (deadline: number): number => deadline - ROOM_MS;

/** @param random numbers in [0, 1): replicas that fight for one job must not pause in step */
export function writing(random: () => number): Writes {
  const inTurn = turns();
  return {
    inTurn: (key, deadline, work) => inTurn(key, lastBegin(deadline), contended, work),
    untilWritten: async (deadline, attempt) => {
      for (let run = 0; ; run++) {
        const written = await attempt(run);
        if (written !== LOST) return written;
        const pauseMs = random() * Math.min(FIRST_PAUSE_MS * 1.5 ** run, LONGEST_PAUSE_MS);
        if (Date.now() + pauseMs >= lastBegin(deadline)) throw contended();
        await delay(pauseMs);
      }
    },
  };
}
