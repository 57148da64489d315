/** Bounds the memory between two writes; uses of further secrets are not recorded. */
const REMEMBERED = 10_000;

export type LastUsed = ReturnType<typeof lastUsed>;

/**
 * Remembers when secrets were used and writes it in batches, so that a look-up costs no write. A failed write is
 * repeated with the next batch; a crash loses a minute of "last used".
 */
export function lastUsed(writeUses: (uses: ReadonlyMap<string, number>) => Promise<void>) {
  const used = new Map<string, number>();
  return {
    note: (hash: string, at: number): void => {
      if (used.size < REMEMBERED || used.has(hash)) used.set(hash, at);
    },
    write: async (): Promise<void> => {
      if (used.size === 0) return;
      const batch = new Map(used);
      await writeUses(batch);
      for (const [hash, at] of batch) if (used.get(hash) === at) used.delete(hash);
    },
  };
}
