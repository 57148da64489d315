import type { Refusal, Violation } from '../api/refusal.ts';
import type { Sent } from './send.ts';
import type { Prepared } from './prepare.ts';

/** How often something was seen, in how many postings, and what it looked like first. */
export interface Seen {
  times: number;
  postings: number;
  readonly sample: string;
}

interface RefusedCode extends Seen {
  readonly errors: Map<string, Seen>;
}

/** The running counts of an import. */
export interface Tally {
  created: number;
  updated: number;
  unchanged: number;
  mapped: number;
  repaired: number;
  synthesised: number;
  refused: number;
  readonly refusals: Map<string, RefusedCode>;
  readonly changes: Map<string, Seen>;
  readonly notes: Map<string, Seen>;
}

export function newTally(): Tally {
  return {
    created: 0,
    updated: 0,
    unchanged: 0,
    mapped: 0,
    repaired: 0,
    synthesised: 0,
    refused: 0,
    refusals: new Map(),
    changes: new Map(),
    notes: new Map(),
  };
}

/** All postings that were dealt with, in whatever way. */
export function handled({ created, updated, unchanged, mapped, refused }: Tally): number {
  return created + updated + unchanged + mapped + refused;
}

function see(seen: Map<string, Seen>, key: string, times: number, sample: string): void {
  const entry = seen.get(key);
  if (entry === undefined) seen.set(key, { times, postings: 1, sample });
  else {
    entry.times += times;
    entry.postings += 1;
  }
}

/** Counts a posting that was mapped, whatever becomes of it. */
export function countPrepared(tally: Tally, { synthesised, changes, notes }: Prepared): void {
  if (synthesised) tally.synthesised += 1;
  if (changes.size > 0) tally.repaired += 1;
  for (const [change, times] of changes) see(tally.changes, change, times, '');
  for (const { code, detail } of notes) see(tally.notes, code, 1, detail);
}

/** Counts what became of a posting. */
export function countOutcome(tally: Tally, outcome: Sent | 'mapped'): void {
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
    see(entry.errors, rule, broken.length, broken[0]?.detail ?? '');
}

/** Where and what; indexes become a star, so that all elements of a list count as one place. */
function ruleOf({ pointer, parameter, header, code }: Violation): string {
  const place = pointer ?? parameter ?? header ?? '';
  return `${place.replaceAll(/\/\d+(?=\/|$)/gu, '/*')} ${code ?? ''}`;
}
