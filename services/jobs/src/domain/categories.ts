import type { AssignedCategory, JobChanges, Warning } from '@joblisting/contracts';
import type { HeldCategory } from './job.ts';

/** A category as a body names it: by id, or by name if there is no id. */
export type CategoryReference = NonNullable<JobChanges['categories']>[number];

/** The references as they count: the name beside an id is ignored. */
export const plainReferences = (sent: readonly CategoryReference[]): CategoryReference[] =>
  sent.map(({ id, name }) => (id === undefined ? { name: name ?? '' } : { id }));

/**
 * The job's own categories, if it has each one that is sent, so that no other service is needed; undefined if one is
 * new, or sent by its name.
 */
export function resolveHeld(
  held: readonly HeldCategory[],
  sent: readonly CategoryReference[],
): readonly HeldCategory[] | undefined {
  const byId = new Map(held.map((category) => [category.id, category]));
  const found = sent.map(({ id }) => (id === undefined ? undefined : byId.get(id)));
  return found.every((category) => category !== undefined) ? foldById(found) : undefined;
}

/** Each category once, the first one stays (API decisions, "Duplicates in lists"). */
export function foldById(categories: readonly HeldCategory[]): readonly HeldCategory[] {
  const byId = new Map<number, HeldCategory>();
  for (const { id, name, version } of categories) if (!byId.has(id)) byId.set(id, { id, name, version });
  return [...byId.values()];
}

/** `category_created` for each name that created a category. `assigned` is in the order sent. */
export const createdWarnings = (assigned: readonly AssignedCategory[]): Warning[] =>
  assigned.flatMap(({ created, id, name }, index) =>
    created
      ? [
          {
            pointer: `#/categories/${index}/name`,
            code: 'category_created' as const,
            detail: `The category "${name}" ${id > 0 ? 'did not exist and was created' : 'does not exist and would be created'}.`,
          },
        ]
      : [],
  );
