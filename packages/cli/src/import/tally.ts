import type { Violation } from '@joblisting/client';
import type { PreparedPosting } from './prepare.ts';
import type { Refusal } from './refusal.ts';
import type { SendOutcome } from './send.ts';

/** How often something occurred, in how many postings, and the first example. */
export interface Occurrence {
  times: number;
  postings: number;
  readonly sample: string;
}

interface RefusalCount extends Occurrence {
  readonly errors: Map<string, Occurrence>;
}

/** The running counts of an import. */
export interface Tally {
  created: number;
  updated: number;
  unchanged: number;
  repaired: number;
  synthesised: number;
  refused: number;
  readonly refusals: Map<string, RefusalCount>;
  readonly changes: Map<string, Occurrence>;
  readonly notes: Map<string, Occurrence>;
}

export function newTally(): Tally {
  return {
    created: 0,
    updated: 0,
    unchanged: 0,
    repaired: 0,
    synthesised: 0,
    refused: 0,
    refusals: new Map(),
    changes: new Map(),
    notes: new Map(),
  };
}

/** The number of processed postings. */
export function processedIn({ created, updated, unchanged, refused }: Tally): number {
  return created + updated + unchanged + refused;
}

function addOccurrence(
  occurrences: Map<string, Occurrence>,
  key: string,
  times: number,
  sample: string,
): void {
  const entry = occurrences.get(key);
  if (entry === undefined) occurrences.set(key, { times, postings: 1, sample });
  else {
    entry.times += times;
    entry.postings += 1;
  }
}

/** Counts a mapped posting with its repairs and notes. */
export function countPrepared(tally: Tally, { synthesised, changes, notes }: PreparedPosting): void {
  if (synthesised) tally.synthesised += 1;
  if (changes.size > 0) tally.repaired += 1;
  for (const [change, times] of changes) addOccurrence(tally.changes, change, times, '');
  for (const { code, detail } of notes) addOccurrence(tally.notes, code, 1, detail);
}

/** Counts the outcome of a posting. */
export function countOutcome(tally: Tally, outcome: SendOutcome | Refusal): void {
  if (typeof outcome === 'string') tally[outcome] += 1;
  else countRefusal(tally, outcome);
}

function countRefusal(tally: Tally, { code, detail, errors }: Refusal): void {
  tally.refused += 1;
  const entry = tally.refusals.get(code) ?? { times: 0, postings: 0, sample: detail, errors: new Map() };
  tally.refusals.set(code, entry);
  entry.times += 1;
  entry.postings += 1;
  for (const [rule, broken] of Map.groupBy(errors, ruleOf))
    addOccurrence(entry.errors, rule, broken.length, broken[0]?.detail ?? '');
}

/** Pointer and code. A star replaces list indexes, so that all elements count together. */
function ruleOf({ pointer, parameter, header, code }: Violation): string {
  const place = pointer ?? parameter ?? header ?? '';
  return `${place.replaceAll(/\/\d+(?=\/|$)/gu, '/*')} ${code}`;
}
