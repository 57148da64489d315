import type { Clock, Log } from '@joblisting/service-kit';
import type { AllowanceStore } from './allowance-store.ts';
import type { Limited } from './outcome.ts';
import { LONGEST_PAUSE_MS, retryAt } from './retry-after.ts';

export type Pause = ReturnType<typeof callPause>;

/** The time that a limit asks for: known here at once, and to the other replicas by the store. */
export function callPause(clock: Clock, allowance: AllowanceStore, log: Log) {
  let until = 0;

  /** A pause that is further away than any can be was noted before the clock was set back: it is over. */
  const isOn = (): boolean => until > clock.now() && until <= clock.now() + LONGEST_PAUSE_MS;

  /** Bitly asked to be left alone until then, here or in another replica. The longest pause counts. */
  const learn = (end: number): void => {
    until = isOn() ? Math.max(until, end) : end;
  };

  return {
    isOn,
    learn,

    /** Learns what the other replicas know. */
    refresh: async (): Promise<void> => {
      const end = await allowance.pausedUntil(clock.now());
      if (end !== undefined) learn(end);
    },

    /** Resolves to the end of the pause. Never rejects: this replica keeps to it in any case. */
    begin: async (limited: Limited): Promise<number> => {
      const now = clock.now();
      const end = retryAt(limited, now);
      learn(end);
      await allowance
        .pause(end, now)
        .catch((error: unknown) => log.warn({ err: error }, 'a pause for bitly could not be shared'));
      return until;
    },
  };
}
