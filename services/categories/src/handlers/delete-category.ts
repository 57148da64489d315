import type { CallContext } from '@joblisting/bus';
import { type deleteCategory, ServiceError } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import { notFound } from '../domain/category.ts';
import type { Examine } from '../repair/examine.ts';
import type { CategoryStore } from '../store/category-store.ts';
import type { ReferenceStore } from '../store/reference-store.ts';
import { findOwn } from './own-category.ts';

/** References that are looked at before a refusal, and how often: what a crash left behind is less. */
const LOOKED_AT = 100;
const ROUNDS = 5;

/**
 * Removes a custom category that no job has. Before it refuses, it asks `jobs` whether the references are real:
 * what a crash or a lost release left behind must not keep a category for ever.
 */
export function deleteCategoryHandler(
  categories: CategoryStore,
  references: ReferenceStore,
  examine: Examine,
): Handler<typeof deleteCategory> {
  /** A job that has the category, or may get it; undefined where no reference was real. */
  const findHolder = async (categoryId: number, context: CallContext): Promise<number | undefined> => {
    const found = await references.ofCategory(categoryId, LOOKED_AT);
    const { held, open, dead } = await examine(found, context).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      // Without `jobs` nobody can tell: every reference counts.
      return { held: found, open: [], dead: [] };
    });
    await references.drop(dead, context.deadline);
    return (held[0] ?? open[0])?.jobId;
  };

  return async ({ params, context }) => {
    const { id } = await findOwn(categories, params.id, context);
    for (let round = 0; round < ROUNDS; round++) {
      const removal = await categories.remove(id, context.deadline);
      if (removal === 'removed') return { outcome: 'deleted' };
      if (removal === 'gone') throw notFound(id);
      const holder = await findHolder(id, context);
      if (holder !== undefined) throw assigned(id, holder);
    }
    throw assigned(id);
  };
}

const assigned = (id: number, jobId?: number) =>
  new ServiceError('category_assigned', `Category ${id} is assigned to a job.`, {
    conflict: jobId === undefined ? undefined : { resource: 'job', id: jobId },
  });
