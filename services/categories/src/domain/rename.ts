import type { Category } from './category.ts';
import { DECIDED_AFTER_MS } from './reference.ts';

/**
 * The result of a rename: the category as it is now, or the one that has the name. `not_found`: there is no such
 * category, or it is at another version.
 */
export type RenameResult =
  | { readonly outcome: 'renamed'; readonly category: Category; readonly previousName: string }
  | { readonly outcome: 'unchanged' | 'name_taken'; readonly category: Category }
  | { readonly outcome: 'not_found' };

/** Longer than any request lasts: after that, the background finishes a rename. */
const FIRST_PUSH_AFTER_MS = 10_000;

/** When the background pushes a rename that its own request did not push. */
export const firstPushAt = (startedAt: number): number => startedAt + FIRST_PUSH_AFTER_MS;

/**
 * When to push a rename once more; undefined when it is finished. A job that acquired the category under its old name
 * can be committed after the first push, until that acquisition is too old.
 */
export function nextPushAt(startedAt: number, pushedAt: number): number | undefined {
  const last = startedAt + DECIDED_AFTER_MS;
  return pushedAt >= last ? undefined : last;
}
