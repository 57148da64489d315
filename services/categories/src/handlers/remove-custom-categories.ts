import type { removeCustomCategories } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CategoryStore } from '../store/category-store.ts';
import type { RemoveCategory } from './delete-category.ts';

/** Removes the custom categories of a company that is being deleted. Throws `category_assigned`. */
export const removeCustomCategoriesHandler =
  (categories: CategoryStore, remove: RemoveCategory): Handler<typeof removeCustomCategories> =>
  async ({ body, context }) => {
    const all = await categories.list(body.companyId);
    const customs = all.filter(({ companyId }) => companyId !== null);
    for (const { id } of customs) await remove(id, context);
    return { data: { removed: customs.length } };
  };
