import { setTimeout as delay } from 'node:timers/promises';
import { overloaded } from '@joblisting/contracts';
import { WriteConflict } from './job-store.ts';

/** The time for an attempt and its answer. Later work is refused, because it would only time out. */
const ROOM_MS = 300;
const FIRST_PAUSE_MS = 3;
const LONGEST_PAUSE_MS = 100;

/** No work starts after this (epoch ms): there would be no time to commit it. */
export const lastStart = (deadline: number): number => deadline - ROOM_MS;

/**
 * Repeats `attempt` while it throws WriteConflict, with random pauses, so that replicas that write one job do not retry
 * in step. Rejects with `overloaded` (`contention`) if there is no time left for another attempt.
 */
export async function retryOnConflict<T>(deadline: number, attempt: (run: number) => Promise<T>): Promise<T> {
  for (let run = 0; ; run++) {
    try {
      return await attempt(run);
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
    }
    const pauseMs = Math.random() * Math.min(FIRST_PAUSE_MS * 1.5 ** run, LONGEST_PAUSE_MS);
    if (Date.now() + pauseMs >= lastStart(deadline))
      throw overloaded('contention', 'The job is being changed too often at once.');
    await delay(pauseMs);
  }
}
