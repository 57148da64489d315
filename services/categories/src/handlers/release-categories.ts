import type { releaseCategories } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { ReferenceStore } from '../store/reference-store.ts';

export function releaseCategoriesHandler(references: ReferenceStore): Handler<typeof releaseCategories> {
  return async ({ body, context }) => ({
    data: { released: await references.release(body, context.deadline) },
  });
}
