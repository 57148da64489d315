import type { Creation } from './creation.ts';

/** What a client knows of a job for sure: every 2xx has been noted here. */
export interface Entry {
  /** The first word of each title that the job ever has: by it the job is found again, with or without referenceId. */
  readonly name: string;
  readonly creation: Creation;
  readonly id: number;
  title: string;
  statusId: number;
  /** How often it became Published or Closed, its creation included. */
  transitions: number;
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
  const counts = { writes: 0, uncertain: 0, replays: 0, keyed: 0 };
  return {
    entries,
    violations,
    counts,
    /** Notes an acknowledged write. */
    acknowledge: (entry: Entry, isUncertain: boolean): void => {
      if (!entries.has(entry.name) && entry.creation.key !== undefined) counts.keyed += 1;
      entries.set(entry.name, entry);
      counts.writes += 1;
      if (isUncertain) counts.uncertain += 1;
    },
    violate: (what: string): void => void violations.push(what),
    writes: () => counts.writes,
  };
}
