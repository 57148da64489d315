import type { Change, Effect } from './change.ts';
import { type Json, type JsonObject, under } from './json.ts';

/** One schema in the last release and today, and where it stands. */
export interface Pair {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly pointer: string;
}

/** Compares two schemas that stand at the same place; absent ones are schemas that take everything. */
export type Compare = (before: Json | undefined, after: Json | undefined, pointer: string) => Change[];

export const show = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : JSON.stringify(value);

/** A keyword that went from one value to another. */
export const changed = ({ before, after, pointer }: Pair, keyword: string, effect: Effect): Change => ({
  pointer: under(pointer, keyword),
  effect,
  what: `${keyword} went from ${show(before[keyword])} to ${show(after[keyword])}`,
});
