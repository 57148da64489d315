/** Why a waiting request goes on: the log of its company may have an event, or it should answer now. */
export interface LongPoll {
  /** Resolves at the next event of the company, at the end of the time, or when the service stops. */
  readonly next: (limitMs: number) => Promise<void>;
  readonly end: () => void;
}

export type LongPolls = ReturnType<typeof longPolls>;

/** Requests that wait for an event of a company, at most this many at once. */
export function longPolls(most: number, stopping: AbortSignal) {
  const open = new Set<{ readonly companyId: number; wake: () => void }>();
  const nothing = () => undefined;

  stopping.addEventListener('abort', () => {
    for (const { wake } of open) wake();
  });

  return {
    count: () => open.size,
    isStopping: () => stopping.aborted,

    /** Undefined if too many wait. An event between this call and `next` is not missed. */
    begin: (companyId: number): LongPoll | undefined => {
      if (open.size >= most || stopping.aborted) return undefined;
      let isWoken = false;
      const poll = { companyId, wake: nothing as () => void };
      const woken = () => {
        isWoken = true;
      };
      poll.wake = woken;
      open.add(poll);
      return {
        next: (limitMs) =>
          new Promise((resolve) => {
            const timer = setTimeout(() => poll.wake(), isWoken ? 0 : Math.max(0, limitMs));
            isWoken = false;
            poll.wake = () => {
              clearTimeout(timer);
              poll.wake = woken;
              resolve();
            };
          }),
        end: () => void open.delete(poll),
      };
    },

    wake: (companyIds: readonly number[]): void => {
      const ids = new Set(companyIds);
      for (const { companyId, wake } of open) if (ids.has(companyId)) wake();
    },
  };
}
