import { firstSystemCategories } from '@joblisting/contracts';
import type { Log } from '@joblisting/service-kit';
import type { SystemStore } from '../store/system-store.ts';

const LIMIT_MS = 10_000;

/** Adds the first system categories that are missing, under their fixed ids. Any number of replicas may do it at once. */
export async function seedSystemCategories(system: SystemStore, log: Log): Promise<void> {
  const present = await system.ids();
  for (const [index, name] of firstSystemCategories.entries()) {
    const id = index + 1;
    if (present.has(id)) continue;
    const added = await system.add(name, id, Date.now() + LIMIT_MS);
    const isThere = typeof added === 'object' && added.category.id === id;
    if (!isThere) log.error({ id, name }, 'a system category could not be added: its name or id is in use');
  }
}
