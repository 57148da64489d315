import { bulkhead, BulkheadRejectedError, TaskCancelledError } from 'cockatiel';

const WAITING = 64;

export type CallSlots = ReturnType<typeof callSlots>;

/** The few calls that this process may have under way at once; half of them at most by those who can wait. */
export function callSlots(atOnce: number) {
  const slots = bulkhead(atOnce, WAITING);
  const patientSlots = bulkhead(Math.floor(atOnce / 2), WAITING);

  /** Runs `work` when it is its turn; undefined where that does not come before `signal`. */
  return async <T>(
    work: () => Promise<T>,
    signal: AbortSignal,
    isPatient: boolean,
  ): Promise<T | undefined> => {
    const patience = Promise.withResolvers<undefined>();
    let begun = false;
    const giveUp = () => {
      if (!begun) patience.resolve(undefined);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    const begin = () => {
      begun = true;
      return work();
    };
    try {
      const inTurn = () => slots.execute(begin, signal);
      const working = isPatient ? patientSlots.execute(inTurn, signal) : inTurn();
      return await Promise.race([working, patience.promise]);
    } catch (error) {
      if (error instanceof BulkheadRejectedError || error instanceof TaskCancelledError) return undefined;
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  };
}
