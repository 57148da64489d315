import { type Json, type JsonObject, joinPointer } from './json.ts';

/**
 * How a change affects the set of valid values.
 *
 * - `narrowed`: a valid value became invalid.
 * - `widened`: an invalid value became valid.
 * - `grown`: an enumeration has one more value, or takes any.
 * - `replaced`: narrowed and widened, or unknown.
 * - `removed`: a part of the document is no longer known. Unknown parts are ignored, so nothing is rejected.
 * - `added`: a new optional part.
 * - `reinterpreted`: the same value is accepted and means something else.
 */
export type Effect = 'narrowed' | 'widened' | 'grown' | 'replaced' | 'removed' | 'added' | 'reinterpreted';

export interface Change {
  /** JSON Pointer to what changed. */
  readonly pointer: string;
  readonly effect: Effect;
  readonly what: string;
}

/** One schema before and after, and its place. */
export interface Pair {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly pointer: string;
}

/** Compares two schemas at the same place. An absent schema accepts everything. */
export type Compare = (before: Json | undefined, after: Json | undefined, pointer: string) => Change[];

export const show = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : JSON.stringify(value);

/** Describes a keyword that went from one value to another. */
export const changed = ({ before, after, pointer }: Pair, keyword: string, effect: Effect): Change => ({
  pointer: joinPointer(pointer, keyword),
  effect,
  what: `${keyword} went from ${show(before[keyword])} to ${show(after[keyword])}`,
});
