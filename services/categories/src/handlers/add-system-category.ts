import { type addSystemCategory, ServiceError } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import { LAST_SYSTEM_ID, nameTaken, shown } from '../domain/category.ts';
import type { SystemStore } from '../store/system-store.ts';

export function addSystemCategoryHandler(system: SystemStore): Handler<typeof addSystemCategory> {
  return async ({ body, context }) => {
    const added = await system.add(body.name, body.id, context.deadline);
    if (added === 'full') throw badId(`System categories have ids up to ${LAST_SYSTEM_ID}.`);
    if (added === 'idTaken') throw badId('Another category has this id.');
    if (added.taken) throw nameTaken(added.category);
    return { ...shown(added.category), outcome: 'created', id: added.category.id };
  };
}

const badId = (detail: string) =>
  new ServiceError('validation_failed', detail, {
    errors: [{ pointer: '#/id', code: 'not_allowed', detail }],
  });
