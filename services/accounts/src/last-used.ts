/** The most secrets whose use is remembered between two writes; more are left for the next time. */
const REMEMBERED = 10_000;

export type LastUsed = ReturnType<typeof lastUsed>;

/**
 * Remembers which secrets were used, and writes it down in batches, apart from the requests: a look-up must not
 * wait for it, and a busy key must not cost a write each time. What could not be written is kept for the next
 * time; what a crash loses is a minute of "last used".
 */
export function lastUsed(writeDown: (uses: ReadonlyMap<string, number>) => Promise<void>) {
  const used = new Map<string, number>();
  return {
    note: (hash: string, at: number): void => {
      if (used.size < REMEMBERED || used.has(hash)) used.set(hash, at);
    },
    write: async (): Promise<void> => {
      if (used.size === 0) return;
      const batch = new Map(used);
      await writeDown(batch);
      for (const [hash, at] of batch) if (used.get(hash) === at) used.delete(hash);
    },
  };
}
