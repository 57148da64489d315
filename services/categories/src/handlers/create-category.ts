import type { createCategory } from '@joblisting/contracts';
import { type Handler, requireCompany } from '@joblisting/service-kit';
import { nameTaken, shown } from '../domain/category.ts';
import type { CategoryStore } from '../store/category-store.ts';

export function createCategoryHandler(categories: CategoryStore): Handler<typeof createCategory> {
  return async ({ body, context }) => {
    requireCompany(context, body.company.id, { pointer: '#/company/id' });
    const { category, taken } = await categories.create(body.company.id, body.name, context.deadline);
    if (taken) throw nameTaken(category);
    return { ...shown(category), outcome: 'created', id: category.id };
  };
}
