import type { getCategory, listCategories } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { JobsClient } from '../clients/jobs.ts';
import { categoryReply, notFound, toJobCategory } from '../domain/category.ts';
import type { CategoryStore } from '../store/category-store.ts';

/** Anyone who knows the id can read a custom category too (API decisions, "Categories"). */
export function getCategoryHandler(categories: CategoryStore): Handler<typeof getCategory> {
  return async ({ params }) => {
    const category = await categories.find(params.id);
    if (!category) throw notFound(params.id);
    return categoryReply(category);
  };
}

/** `active` needs a company to take effect; its presence matters, not its value (API decisions). */
export function listCategoriesHandler(
  categories: CategoryStore,
  jobs: JobsClient,
): Handler<typeof listCategories> {
  return async ({ params, context }) => {
    const companyId = params['company.id'];
    if (companyId === undefined || params.active === undefined) {
      return { data: (await categories.list(companyId)).map(toJobCategory) };
    }
    const [all, active] = await Promise.all([
      categories.list(companyId),
      jobs.activeCategories(companyId, context),
    ]);
    return { data: all.filter(({ id }) => active.has(id)).map(toJobCategory) };
  };
}
