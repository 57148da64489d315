import type { CallContext } from '@joblisting/bus';
import { deadlineExceeded, isNotExecuted, type updateCategory } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { type Category, categoryReply, nameTaken, notFound } from '../domain/category.ts';
import type { CategoryStore } from '../store/category-store.ts';
import type { RenameStore } from '../store/rename-store.ts';
import type { PushRename } from '../tasks/push-rename.ts';
import { findOwn } from './own-category.ts';

/**
 * Renames a category, and answers once every job shows the new name (API decisions, "Categories"). If `jobs` is
 * unavailable, it restores the old name and answers 503. If `jobs` does not answer in time, it answers 504 and the
 * background finishes the rename, as after a crash.
 */
export function updateCategoryHandler(
  categories: CategoryStore,
  renames: RenameStore,
  push: PushRename,
  clock: Clock,
): Handler<typeof updateCategory> {
  /** Raises the version again, because a job may already have the new name. */
  const undo = async (renamed: Category, previousName: string, context: CallContext): Promise<boolean> => {
    const { id, version } = renamed;
    const options = { now: clock.now(), deadline: context.deadline, version };
    const { outcome } = await renames.rename(id, previousName, options);
    return outcome !== 'name_taken';
  };

  return async ({ params, body, context }) => {
    const before = await findOwn(categories, params.id, context);
    if (body.name === undefined) return categoryReply(before);
    const result = await renames.rename(before.id, body.name, {
      now: clock.now(),
      deadline: context.deadline,
    });
    if (result.outcome === 'not_found') throw notFound(params.id);
    if (result.outcome === 'name_taken') throw nameTaken(result.category);
    const { category } = result;
    // While `renamedAt` is set, some jobs may lack the name, because an earlier request for it got no answer.
    if (category.renamedAt === undefined) return categoryReply(category);
    try {
      await push(category, context);
    } catch (error) {
      if (result.outcome !== 'renamed' || !isNotExecuted(error)) throw error;
      const undone = await undo(category, result.previousName, context).catch(() => false);
      throw undone ? error : deadlineExceeded('deadline', error);
    }
    return categoryReply(category);
  };
}
