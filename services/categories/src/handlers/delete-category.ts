import type { CallContext } from '@joblisting/bus';
import { type deleteCategory, ServiceError } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import type { JobsClient } from '../clients/jobs.ts';
import { notFound } from '../domain/category.ts';
import { judgeAll, type Reference } from '../domain/reference.ts';
import type { CategoryStore } from '../store/category-store.ts';
import type { ReferenceStore } from '../store/reference-store.ts';
import { findOwn } from './own-category.ts';

/** References checked per round, and rounds before a refusal: more than a crash leaves behind. */
const CHECKED = 100;
const ROUNDS = 5;

/** Removes a custom category. Throws `category_assigned`; one that is gone already is no error. */
export type RemoveCategory = (id: number, context: CallContext) => Promise<'removed' | 'not_found'>;

/**
 * Removes a custom category that no job has. References that a crash or a lost release left behind must not block that,
 * so it asks `jobs` about them before it refuses.
 */
export function categoryRemover(
  categories: CategoryStore,
  references: ReferenceStore,
  jobs: JobsClient,
  clock: Clock,
): RemoveCategory {
  /** The references that still count: all of them while `jobs` is unavailable. */
  const liveReferences = async (
    some: readonly Reference[],
    context: CallContext,
  ): Promise<readonly Reference[]> => {
    const holders = await jobs.jobsOf(some, context).catch((error: unknown) => {
      // A reason means that `jobs` is unavailable or late. Anything else is a bug.
      if (error instanceof ServiceError && error.reason) return undefined;
      throw error;
    });
    if (!holders) return some;
    const { held, open, dead } = judgeAll(some, holders, clock.now());
    await references.dropUnchanged(dead, context.deadline);
    return [...held, ...open];
  };

  return async (id, context) => {
    for (let round = 0; round < ROUNDS; round++) {
      const removal = await categories.remove(id, clock.now(), context.deadline);
      if (removal !== 'assigned') return removal;
      const [real] = await liveReferences(await references.ofCategory(id, CHECKED), context);
      if (real) throw assigned(id, real.jobId);
    }
    throw assigned(id);
  };
}

export const deleteCategoryHandler =
  (categories: CategoryStore, remove: RemoveCategory): Handler<typeof deleteCategory> =>
  async ({ params, context }) => {
    const { id } = await findOwn(categories, params.id, context);
    if ((await remove(id, context)) === 'not_found') throw notFound(id);
    return { outcome: 'deleted' };
  };

const assigned = (id: number, jobId?: number) =>
  new ServiceError('category_assigned', `Category ${id} is assigned to a job.`, {
    conflict: jobId === undefined ? undefined : { resource: 'job', id: jobId },
  });
