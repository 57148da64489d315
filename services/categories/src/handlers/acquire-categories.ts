import type { acquireCategories } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { ReferenceStore } from '../store/reference-store.ts';

/** Entries that stand for one category count one reference; the reply has an entry for each, in the order sent. */
export function acquireCategoriesHandler(
  references: ReferenceStore,
  tellChange: () => void,
): Handler<typeof acquireCategories> {
  return async ({ body, context }) => {
    const categories = await references.acquire(body, context.deadline);
    if (categories.some(({ created }) => created)) tellChange();
    return { data: { categories } };
  };
}
