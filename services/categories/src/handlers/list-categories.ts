import { findActiveCategories, type listCategories } from '@joblisting/contracts';
import type { Bus } from '@joblisting/bus';
import type { Handler } from '@joblisting/service-kit';
import { toJobCategory } from '../domain/category.ts';
import type { CategoryStore } from '../store/category-store.ts';

/** `active` means something only with a company; its presence counts, whatever its value (API decisions). */
export function listCategoriesHandler(categories: CategoryStore, bus: Bus): Handler<typeof listCategories> {
  return async ({ params, context }) => {
    const companyId = params['company.id'];
    if (companyId === undefined || params.active === undefined) {
      return { data: (await categories.list(companyId)).map(toJobCategory) };
    }
    const [all, { data }] = await Promise.all([
      categories.list(companyId),
      bus.request(findActiveCategories, { body: { companyId }, context }),
    ]);
    const active = new Set(data.ids);
    return { data: all.filter(({ id }) => active.has(id)).map(toJobCategory) };
  };
}
