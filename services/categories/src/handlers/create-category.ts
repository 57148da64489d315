import type { createCategory } from '@joblisting/contracts';
import { type Clock, type Handler, requireCompany, type Result } from '@joblisting/service-kit';
import { type Category, nameTaken, shown } from '../domain/category.ts';
import type { CategoryStore } from '../store/category-store.ts';

/** Creates a custom category, and keeps the answer to an Idempotency-Key with it. */
export function createCategoryHandler(
  categories: CategoryStore,
  clock: Clock,
): Handler<typeof createCategory> {
  return async ({ body, context, keep }) => {
    requireCompany(context, body.company.id, { pointer: '#/company/id' });
    const { category, taken } = await categories.create(body.company.id, body.name, {
      deadline: context.deadline,
      keep: keep && ((made) => keep(created(made), clock.now())),
    });
    if (taken) throw nameTaken(category);
    return created(category);
  };
}

const created = (category: Category): Result<typeof createCategory> => ({
  ...shown(category),
  outcome: 'created',
  id: category.id,
});
