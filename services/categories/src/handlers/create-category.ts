import type { createCategory } from '@joblisting/contracts';
import { type Clock, type Handler, requireCompany } from '@joblisting/service-kit';
import { createdReply, nameTaken } from '../domain/category.ts';
import type { CategoryStore } from '../store/category-store.ts';

/** Creates a custom category, and keeps the answer to an Idempotency-Key in the same transaction. */
export function createCategoryHandler(
  categories: CategoryStore,
  clock: Clock,
): Handler<typeof createCategory> {
  return async ({ body, context, keep }) => {
    requireCompany(context, body.company.id, { pointer: '#/company/id' });
    const { category, isTaken } = await categories.create(body.company.id, body.name, {
      now: clock.now(),
      deadline: context.deadline,
      keep: keep && ((created) => keep(createdReply(created), clock.now())),
    });
    if (isTaken) throw nameTaken(category);
    return createdReply(category);
  };
}
