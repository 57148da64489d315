import type { Bus, CallContext } from '@joblisting/bus';
import { renameCategoryOnJobs } from '@joblisting/contracts';
import { type Clock, type Log, ownCall } from '@joblisting/service-kit';
import type { Category } from '../domain/category.ts';
import type { RenameStore } from '../store/rename-store.ts';

const BATCH = 100;
const LIMIT_MS = 3000;

/** Makes `jobs` show the category's name. Rejects as the call to `jobs` does. */
export type PushRename = (category: Category, context: CallContext) => Promise<void>;

export function pushRenameWith(bus: Bus, renames: RenameStore, clock: Clock, log: Log): PushRename {
  return async (category, context) => {
    const { id: categoryId, name, version } = category;
    await bus.request(renameCategoryOnJobs, { body: { categoryId, name, version }, context });
    // The rename is done. A refusal now would deny it; without the note the background only pushes it again.
    await renames
      .pushed(category, clock.now())
      .catch((err: unknown) => log.warn({ err, categoryId }, 'a rename was pushed, but not noted as such'));
  };
}

/** Pushes the renames that a crash, a timeout or a late commit may have kept from some jobs. */
export function finishRenamesWith(renames: RenameStore, push: PushRename, clock: Clock): () => Promise<void> {
  return async () => {
    const due = await renames.due(clock.now(), BATCH);
    const pushes = await Promise.allSettled(due.map((category) => push(category, ownCall(LIMIT_MS))));
    const failed = pushes.find((pushed) => pushed.status === 'rejected');
    if (failed) throw failed.reason;
  };
}
