import type { SyncResult } from './full-sync.ts';
import { processedIn } from './tally.ts';
import type { Occurrence, Tally } from './tally.ts';

/** The result of an import, as `--json` prints it. */
export interface Summary {
  readonly file: string;
  readonly company: number;
  readonly dryRun: boolean;
  readonly postings: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly repaired: number;
  readonly synthesised: number;
  readonly refused: number;
  readonly refusals: readonly {
    readonly code: string;
    readonly postings: number;
    readonly detail: string;
    readonly errors: readonly { readonly rule: string; readonly postings: number; readonly detail: string }[];
  }[];
  readonly repairs: readonly { readonly change: string; readonly times: number; readonly postings: number }[];
  readonly notes: readonly { readonly code: string; readonly postings: number; readonly sample: string }[];
  readonly seconds: number;
  readonly postingsPerSecond: number;
  readonly refusedFile?: string;
  readonly repairedFile?: string;
  /** What became of the jobs that the file does not have. */
  readonly sync?: SyncResult;
  /** Why the import stopped early, or closed nothing, as a sentence. */
  readonly stopped?: string;
}

export interface SummaryInput {
  readonly tally: Tally;
  readonly file: string;
  readonly company: number;
  readonly dryRun: boolean;
  readonly milliseconds: number;
  readonly refusedFile: string | undefined;
  readonly repairedFile: string | undefined;
  readonly sync: SyncResult | undefined;
  readonly stopped: string | undefined;
}

function byFrequency<T extends Occurrence>(occurrences: ReadonlyMap<string, T>): [string, T][] {
  return [...occurrences].toSorted(([, a], [, b]) => b.postings - a.postings || b.times - a.times);
}

export function summarise(input: SummaryInput): Summary {
  const { tally, milliseconds, refusedFile, repairedFile, sync, stopped } = input;
  const postings = processedIn(tally);
  const seconds = Math.max(milliseconds, 1) / 1000;
  return {
    file: input.file,
    company: input.company,
    dryRun: input.dryRun,
    postings,
    created: tally.created,
    updated: tally.updated,
    unchanged: tally.unchanged,
    repaired: tally.repaired,
    synthesised: tally.synthesised,
    refused: tally.refused,
    refusals: byFrequency(tally.refusals).map(([code, { postings, sample, errors }]) => ({
      code,
      postings,
      detail: sample,
      errors: byFrequency(errors).map(([rule, occurrence]) => ({
        rule,
        postings: occurrence.postings,
        detail: occurrence.sample,
      })),
    })),
    repairs: byFrequency(tally.changes).map(([change, { times, postings }]) => ({ change, times, postings })),
    notes: byFrequency(tally.notes).map(([code, { postings, sample }]) => ({ code, postings, sample })),
    seconds: Math.round(seconds * 100) / 100,
    postingsPerSecond: Math.round(postings / seconds),
    ...(refusedFile !== undefined && { refusedFile }),
    ...(repairedFile !== undefined && { repairedFile }),
    ...(sync !== undefined && { sync }),
    ...(stopped !== undefined && { stopped }),
  };
}
