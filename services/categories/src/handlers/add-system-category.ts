import { type addSystemCategory, ServiceError } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import { createdReply, LAST_SYSTEM_ID, nameTaken } from '../domain/category.ts';
import type { CategoryStore } from '../store/category-store.ts';

/** For operators. Throws `category_name_taken` where any company has the name. */
export function addSystemCategoryHandler(categories: CategoryStore): Handler<typeof addSystemCategory> {
  return async ({ body, context }) => {
    const added = await categories.addSystem(body.name, body.id, context.deadline);
    if (added === 'full') throw badId(`System categories have ids up to ${LAST_SYSTEM_ID}.`);
    if (added === 'idTaken') throw badId('Another category has this id.');
    if (added.taken) throw nameTaken(added.category);
    return createdReply(added.category);
  };
}

const badId = (detail: string) =>
  new ServiceError('validation_failed', detail, {
    errors: [{ pointer: '#/id', code: 'not_allowed', detail }],
  });
