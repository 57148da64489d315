import { firstSystemCategories } from '@joblisting/contracts';
import type { Log } from '@joblisting/service-kit';
import type { CategoryStore } from '../store/category-store.ts';

const LIMIT_MS = 10_000;

/** Adds the first system categories that are missing, under their fixed ids. Replicas may do it at once. */
export async function seedSystemCategories(categories: CategoryStore, log: Log): Promise<void> {
  const present = new Set((await categories.list()).map(({ id }) => id));
  for (const [index, name] of firstSystemCategories.entries()) {
    const id = index + 1;
    if (present.has(id)) continue;
    const added = await categories.addSystem(name, id, Date.now() + LIMIT_MS);
    const isThere = typeof added === 'object' && added.category.id === id;
    if (!isThere) log.error({ id, name }, 'a system category could not be added: its name or id is in use');
  }
}
