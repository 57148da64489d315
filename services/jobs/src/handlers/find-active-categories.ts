import type { findActiveCategories } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import type { CategoryStore } from '../store/category-store.ts';
import type { SettleDue } from '../tasks/settle-due.ts';

/** The categories of a company's Published jobs, after what is due is settled. */
export function findActiveCategoriesHandler(
  categories: CategoryStore,
  settleDue: SettleDue,
  clock: Clock,
): Handler<typeof findActiveCategories> {
  return async ({ body, context }) => {
    await settleDue.ofCompany(body.companyId, clock.now(), context.deadline);
    return { data: { ids: await categories.active(body.companyId) } };
  };
}
