/** What a client knows of a job for sure: every 2xx has been noted here. */
export interface Entry {
  readonly referenceId: string;
  id: number;
  title: string;
  statusId: number;
  etag: string;
  url: string;
  /** False once its DELETE was acknowledged. */
  exists: boolean;
  /** Until then (`performance.now()`) a straggler of an earlier attempt to create it may still be on its way. */
  readonly settledAt: number;
}

export type Journal = ReturnType<typeof createJournal>;

/** Acknowledged writes, and what was found to go against them. */
export function createJournal() {
  const entries = new Map<string, Entry>();
  const violations: string[] = [];
  let writes = 0;
  let uncertain = 0;
  return {
    entries,
    violations,
    /** Notes an acknowledged write. */
    acknowledge: (entry: Entry, isUncertain: boolean): void => {
      entries.set(entry.referenceId, entry);
      writes += 1;
      if (isUncertain) uncertain += 1;
    },
    violate: (what: string): void => void violations.push(what),
    writes: () => writes,
    uncertain: () => uncertain,
  };
}
