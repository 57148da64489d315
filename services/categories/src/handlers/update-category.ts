import type { CallContext } from '@joblisting/bus';
import { isNotExecuted, ServiceError, type updateCategory } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { type Category, nameTaken, notFound, shown } from '../domain/category.ts';
import type { PushRename } from '../repair/push-rename.ts';
import type { CategoryStore } from '../store/category-store.ts';
import type { RenameStore } from '../store/rename-store.ts';
import { findOwn } from './own-category.ts';

/**
 * Renames, and answers once every job shows the new name (API decisions, "Categories"). Where `jobs` is away, the
 * old name comes back and the answer is 503. Where it does not answer in time, the outcome is unknown, 504, and the
 * background finishes the rename; so it does after a crash.
 */
export function updateCategoryHandler(
  categories: CategoryStore,
  renames: RenameStore,
  push: PushRename,
  clock: Clock,
): Handler<typeof updateCategory> {
  const undo = async (renamed: Category, previousName: string, context: CallContext): Promise<boolean> => {
    const { id, version } = renamed;
    const options = { now: clock.now(), deadline: context.deadline, version };
    // A version of its own: a job may have been given the name, with its version, in between.
    const { outcome } = await renames.rename(id, previousName, options);
    return outcome !== 'taken';
  };

  return async ({ params, body, context }) => {
    const before = await findOwn(categories, params.id, context);
    if (body.name === undefined) return shown(before);
    const options = { now: clock.now(), deadline: context.deadline };
    const result = await renames.rename(before.id, body.name, options);
    if (result.outcome === 'gone') throw notFound(params.id);
    if (result.outcome === 'taken') throw nameTaken(result.category);
    const { category } = result;
    // Unchanged, yet marked: an earlier request for this name was not answered.
    if (category.renamedAt === undefined) return shown(category);
    try {
      await push(category, context);
    } catch (error) {
      if (result.outcome !== 'renamed' || !isNotExecuted(error)) throw error;
      const undone = await undo(category, result.previousName, context).catch(() => false);
      throw undone ? error : new ServiceError('deadline_exceeded', undefined, { cause: error });
    }
    return shown(category);
  };
}
