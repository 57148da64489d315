import type { Category } from './category.ts';
import { DECIDED_AFTER_MS } from './reference.ts';

/**
 * What came of a rename: the category as it is now, or the one that has the name. `gone`: there is no such category,
 * or it is at another version.
 */
export type Renaming =
  | { readonly outcome: 'renamed'; readonly category: Category; readonly previousName: string }
  | { readonly outcome: 'unchanged' | 'taken'; readonly category: Category }
  | { readonly outcome: 'gone' };

/** Longer than any request lasts: after that, the background finishes a rename. */
const TAKEN_OVER_AFTER_MS = 10_000;

/** When the background pushes a rename that its own request did not push. */
export const firstPushAt = (startedAt: number): number => startedAt + TAKEN_OVER_AFTER_MS;

/**
 * When to push a rename once more; undefined when it is finished. A job that acquired the category under its old name
 * can be committed after the first push, until that acquisition is too old.
 */
export function nextPushAt(startedAt: number, pushedAt: number): number | undefined {
  const last = startedAt + DECIDED_AFTER_MS;
  return pushedAt >= last ? undefined : last;
}
