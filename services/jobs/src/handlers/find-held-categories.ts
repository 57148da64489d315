import type { findHeldCategories } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CategoryStore } from '../store/category-store.ts';

/** Says which categories these jobs have. */
export function findHeldCategoriesHandler(categories: CategoryStore): Handler<typeof findHeldCategories> {
  return async ({ body }) => ({ data: await categories.held(body.jobIds) });
}
