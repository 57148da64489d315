import type { getCategory } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import { notFound, shown } from '../domain/category.ts';
import type { CategoryStore } from '../store/category-store.ts';

/** Custom ones too can be read by anyone who knows the id (API decisions, "Categories"). */
export function getCategoryHandler(categories: CategoryStore): Handler<typeof getCategory> {
  return async ({ params }) => {
    const category = await categories.find(params.id);
    if (!category) throw notFound(params.id);
    return shown(category);
  };
}
