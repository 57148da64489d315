import type { CallContext } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import { grantsCompany } from '@joblisting/service-kit';
import { type Category, notFound } from '../domain/category.ts';
import type { CategoryStore } from '../store/category-store.ts';

/**
 * The custom category that the caller may change. Throws `system_category`, or `category_not_found`, also for another
 * company's category (API decisions, "Statuses", 404).
 */
export async function findOwn(
  categories: CategoryStore,
  id: number,
  context: CallContext,
): Promise<Category> {
  const category = await categories.find(id);
  if (!category) throw notFound(id);
  if (category.companyId === null) throw new ServiceError('system_category');
  if (!grantsCompany(context, category.companyId)) throw notFound(id);
  return category;
}
