import type { Creation } from './creation.ts';

/** The state of a job by its acknowledged writes. */
export interface Entry {
  /** The first word of every title of the job, which identifies it without a referenceId. */
  readonly name: string;
  readonly creation: Creation;
  readonly id: number;
  title: string;
  statusId: number;
  /** How often it became Published or Closed, including its creation. */
  transitions: number;
  etag: string;
  url: string;
  /** False once its DELETE was acknowledged. */
  exists: boolean;
  /** Until this time (`performance.now()`) an earlier attempt to create it may still run. */
  readonly mayLingerUntil: number;
}

export type Journal = ReturnType<typeof createJournal>;

/** Acknowledged writes, and violations of the contract. */
export function createJournal() {
  const entries = new Map<string, Entry>();
  const violations: string[] = [];
  const counts = { writes: 0, uncertain: 0, replays: 0, keyed: 0 };
  return {
    entries,
    violations,
    counts,
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
