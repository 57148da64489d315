import type { renameCategoryOnJobs } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CategoryStore } from '../store/category-store.ts';

/** Gives a category its new name on every job, unless a newer one is known. */
export function renameCategoryHandler(categories: CategoryStore): Handler<typeof renameCategoryOnJobs> {
  return async ({ body: { categoryId, name, version } }) => ({
    data: { jobs: await categories.rename({ id: categoryId, name, version }) },
  });
}
