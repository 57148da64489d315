import type { CallContext } from '@joblisting/bus';
import { type Clock, type Log, ownCall, semaphore } from '@joblisting/service-kit';
import type { JobsClient } from '../clients/jobs.ts';
import type { Category } from '../domain/category.ts';
import type { RenameStore } from '../store/rename-store.ts';

const BATCH = 100;
const LIMIT_MS = 3000;
const MAX_CONCURRENT = 4;

/** Makes `jobs` show the category's name. Rejects as the call to `jobs` does. */
export type PushRename = (category: Category, context: CallContext) => Promise<void>;

export function renamePusher(jobs: JobsClient, renames: RenameStore, clock: Clock, log: Log): PushRename {
  return async (category, context) => {
    await jobs.renameCategory(category, context);
    // Every job has the new name, so an error here must not fail the rename. The background pushes it again.
    await renames.markPushed(category, clock.now()).catch((err: unknown) => {
      log.warn({ err, categoryId: category.id }, 'a rename was pushed, but not marked as pushed');
    });
  };
}

/** Pushes again the renames that may not have reached every job: after a crash, a timeout or a late commit. */
export function finishRenames(
  renames: RenameStore,
  push: PushRename,
  clock: Clock,
  stopping: AbortSignal,
): () => Promise<void> {
  const limited = semaphore(MAX_CONCURRENT);
  return async () => {
    const due = await renames.due(clock.now(), BATCH);
    const pushes = await Promise.allSettled(
      due.map((category) =>
        limited(async () => {
          if (!stopping.aborted) await push(category, ownCall(LIMIT_MS));
        }),
      ),
    );
    const failed = pushes.find((pushed) => pushed.status === 'rejected');
    if (failed) throw failed.reason;
  };
}
