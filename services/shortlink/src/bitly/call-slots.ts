import { bulkhead, BulkheadRejectedError, TaskCancelledError } from 'cockatiel';

/** Bitly takes five connections from one address at once. */
const AT_ONCE = 4;
const WAITING = 64;

export type CallSlots = ReturnType<typeof callSlots>;

/** The few calls that may be under way at once. */
export function callSlots() {
  const slots = bulkhead(AT_ONCE, WAITING);

  /** Runs `work` when it is its turn; undefined where that does not come before `signal`. */
  return async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> => {
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
      return await Promise.race([slots.execute(begin, signal), patience.promise]);
    } catch (error) {
      if (error instanceof BulkheadRejectedError || error instanceof TaskCancelledError) return undefined;
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  };
}
