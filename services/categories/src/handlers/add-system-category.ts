import { type addSystemCategory, firstSystemCategories, ServiceError } from '@joblisting/contracts';
import type { Handler, Log } from '@joblisting/service-kit';
import { createdReply, LAST_SYSTEM_ID, nameTaken } from '../domain/category.ts';
import type { CategoryStore } from '../store/category-store.ts';

/** For operators. Throws `category_name_taken` where any company has the name. */
export function addSystemCategoryHandler(categories: CategoryStore): Handler<typeof addSystemCategory> {
  return async ({ body, context }) => {
    const added = await categories.addSystem(body.name, body.id, context.deadline);
    if (added === 'full') throw badId(`System categories have ids up to ${LAST_SYSTEM_ID}.`);
    if (added === 'idTaken') throw badId('Another category has this id.');
    if (added.isTaken) throw nameTaken(added.category);
    return createdReply(added.category);
  };
}

const badId = (detail: string) =>
  new ServiceError('validation_failed', detail, {
    errors: [{ pointer: '#/id', code: 'not_allowed', detail }],
  });

const SEED_LIMIT_MS = 10_000;

/** Adds the first system categories that are missing, under their fixed ids. Replicas may do it at once. */
export async function seedSystemCategories(categories: CategoryStore, log: Log): Promise<void> {
  const present = new Set((await categories.list()).map(({ id }) => id));
  for (const [index, name] of firstSystemCategories.entries()) {
    const id = index + 1;
    if (present.has(id)) continue;
    const added = await categories.addSystem(name, id, Date.now() + SEED_LIMIT_MS);
    const isThere = typeof added === 'object' && added.category.id === id;
    if (!isThere) log.error({ id, name }, 'a system category could not be added: its name or id is in use');
  }
}
