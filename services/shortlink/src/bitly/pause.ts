import type { Clock, Log } from '@joblisting/service-kit';
import type { AllowanceStore } from './allowance-store.ts';
import { LONGEST_PAUSE_MS, retryAt } from './retry-after.ts';

export type Pause = ReturnType<typeof callPause>;

/** The time that a 429 asks for: known here at once, and to the other replicas by the store. */
export function callPause(clock: Clock, allowance: AllowanceStore, log: Log) {
  let until = 0;

  return {
    /** A pause that is further away than any can be was noted before the clock was set back: it is over. */
    isOn: (): boolean => until > clock.now() && until <= clock.now() + LONGEST_PAUSE_MS,

    /** Another replica was asked to wait until then. */
    learn: (from: number): void => {
      until = from;
    },

    /** Resolves to the end of the pause. Never rejects: this replica keeps to it in any case. */
    begin: async (retryAfter: string | null): Promise<number> => {
      const now = clock.now();
      until = retryAt(retryAfter, now);
      await allowance
        .pause(until, now)
        .catch((error: unknown) => log.warn({ err: error }, 'a pause for bitly could not be shared'));
      return until;
    },
  };
}
