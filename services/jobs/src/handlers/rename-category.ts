import type { renameCategoryOnJobs } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CategoryStore } from '../store/category-store.ts';
import { afterCommit } from './refusals.ts';

/**
 * Gives a category its new name on every job, unless a newer one is known. The name is noted first: a job that is written
 * meanwhile with the old one looks it up afterwards.
 */
export function renameCategoryHandler(categories: CategoryStore): Handler<typeof renameCategoryOnJobs> {
  return async ({ body: { categoryId, name, version } }) => {
    const category = { id: categoryId, name, version };
    const isNewest = await categories.remember(category);
    return { data: { jobs: isNewest ? await afterCommit(categories.rename(category)) : 0 } };
  };
}
