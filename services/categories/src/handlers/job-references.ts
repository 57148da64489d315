import type { acquireCategories, previewCategories, releaseCategories } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import type { ReferenceStore } from '../store/reference-store.ts';

/**
 * Resolves a job's categories and counts its references to custom ones. The reply has one entry for each sent.
 * @param notifyChange called when a name creates a category
 */
export function acquireCategoriesHandler(
  references: ReferenceStore,
  notifyChange: () => void,
  clock: Clock,
): Handler<typeof acquireCategories> {
  return async ({ body, context }) => {
    const categories = await references.acquire(body, clock.now(), context.deadline);
    if (categories.some(({ created }) => created)) notifyChange();
    return { data: { categories } };
  };
}

/** Says what an acquisition would resolve to, for dry runs. */
export const previewCategoriesHandler =
  (references: ReferenceStore): Handler<typeof previewCategories> =>
  async ({ body }) => ({ data: { categories: await references.preview(body) } });

/** Drops references that the job no longer has. */
export function releaseCategoriesHandler(references: ReferenceStore): Handler<typeof releaseCategories> {
  return async ({ body, context }) => ({
    data: { released: await references.release(body, context.deadline) },
  });
}
