import type { CallContext } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import { grantsCompany } from '@joblisting/service-kit';
import { type Category, notFound } from '../domain/category.ts';
import type { CategoryStore } from '../store/category-store.ts';

/**
 * The custom category that the caller may change. Another company's is as unknown to it as one that is not there
 * (API decisions, "Statuses", 404); system categories are read-only.
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
