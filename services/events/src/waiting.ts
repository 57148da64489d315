/** Why a waiting request goes on: the log of its company may have an event, or it should answer now. */
export interface Waiter {
  /** Resolves at the next event of the company, at the end of the time, or when the service stops. */
  readonly next: (limitMs: number) => Promise<void>;
  readonly end: () => void;
}

export type Waiting = ReturnType<typeof waiting>;

/** Requests that wait for an event of a company, at most this many at once. */
export function waiting(most: number, stopping: AbortSignal) {
  const waiters = new Set<{ readonly companyId: number; wake: () => void }>();
  const nothing = () => undefined;

  stopping.addEventListener('abort', () => {
    for (const { wake } of waiters) wake();
  });

  return {
    count: () => waiters.size,
    isStopping: () => stopping.aborted,

    /** Undefined if too many wait. An event between this call and `next` is not missed. */
    begin: (companyId: number): Waiter | undefined => {
      if (waiters.size >= most || stopping.aborted) return undefined;
      let isWoken = false;
      const waiter = { companyId, wake: nothing as () => void };
      const woken = () => {
        isWoken = true;
      };
      waiter.wake = woken;
      waiters.add(waiter);
      return {
        next: (limitMs) =>
          new Promise((resolve) => {
            const timer = setTimeout(() => waiter.wake(), isWoken ? 0 : Math.max(0, limitMs));
            isWoken = false;
            waiter.wake = () => {
              clearTimeout(timer);
              waiter.wake = woken;
              resolve();
            };
          }),
        end: () => void waiters.delete(waiter),
      };
    },

    wake: (companyIds: readonly number[]): void => {
      const ids = new Set(companyIds);
      for (const { companyId, wake } of waiters) if (ids.has(companyId)) wake();
    },
  };
}
