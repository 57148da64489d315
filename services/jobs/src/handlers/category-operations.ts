import type { findActiveCategories, findHeldCategories, renameCategoryOnJobs } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import type { CategoryStore } from '../store/category-store.ts';
import type { SettleDue } from '../tasks/settle-due.ts';
import { afterCommit } from './refusals.ts';

/** The categories of a company's Published jobs, after the transitions that are due. */
export const findActiveCategoriesHandler =
  (categories: CategoryStore, settleDue: SettleDue, clock: Clock): Handler<typeof findActiveCategories> =>
  async ({ body, context }) => {
    await settleDue.ofCompany(body.companyId, clock.now(), context.deadline);
    return { data: { ids: await categories.active(body.companyId) } };
  };

/** Says which categories these jobs have. */
export const findHeldCategoriesHandler =
  (categories: CategoryStore): Handler<typeof findHeldCategories> =>
  async ({ body }) => ({ data: await categories.held(body.jobIds) });

/**
 * Gives a category its new name on every job, unless a newer one is known. It stores the name first, because a job that
 * is written meanwhile with the old name reads it afterwards.
 */
export const renameCategoryHandler =
  (categories: CategoryStore): Handler<typeof renameCategoryOnJobs> =>
  async ({ body: { categoryId, name, version }, context }) => {
    const category = { id: categoryId, name, version };
    const isNewest = await categories.remember(category);
    return {
      data: { jobs: isNewest ? await afterCommit(categories.rename(category, context)) : 0 },
    };
  };
