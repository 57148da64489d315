import {
  type acquireCategories,
  type AssignedCategory,
  type BodyOf,
  foldName,
  ServiceError,
  type Violation,
} from '@joblisting/contracts';
import { type Catalogue, slot } from './catalogue.ts';
import { type Reference, referenceKey } from './reference.ts';

export type Acquisition = BodyOf<typeof acquireCategories>;

/** A name that no category has yet. */
export interface NewName {
  readonly companyId: number;
  readonly name: string;
}

/** The refusal of an acquisition with entries that stand for nothing: all of them, with their pointers. */
export function refusalOf(acquisition: Acquisition, catalogue: Catalogue): ServiceError | undefined {
  const errors = violationsOf(acquisition, catalogue);
  if (errors.length === 0) return undefined;
  return new ServiceError('validation_failed', 'Some categories cannot be assigned; see "errors".', {
    errors,
  });
}

/** An id that is unknown or another company's, or neither id nor name. */
function violationsOf(acquisition: Acquisition, catalogue: Catalogue): Violation[] {
  return acquisition.categories.flatMap(({ id, name }, index): Violation[] => {
    if (id !== undefined) {
      if (catalogue.byId(id, acquisition.companyId)) return [];
      const detail = `There is no category ${id}.`;
      return [{ pointer: `#/categories/${index}/id`, code: 'unknown_id', detail }];
    }
    if (name !== undefined) return [];
    const detail = `categories[${index}] must have an id or a name.`;
    return [{ pointer: `#/categories/${index}`, code: 'required', detail }];
  });
}

/** The names among these that need a category made, each company's once. An id beside a name takes precedence. */
export function newNames(acquisitions: readonly Acquisition[], catalogue: Catalogue): NewName[] {
  const found = new Map<string, NewName>();
  for (const { companyId, categories } of acquisitions) {
    for (const { id, name } of categories) {
      if (id !== undefined || name === undefined || catalogue.byName(name, companyId)) continue;
      const key = slot(name, companyId);
      if (!found.has(key)) found.set(key, { companyId, name: foldName(name) });
    }
  }
  return [...found.values()];
}

/**
 * The categories that an acquisition which is not refused stands for: one entry for each entry sent, in that order.
 * `unclaimed` holds the ids of categories that were made just now; the first entry of one takes it out and is
 * `created`.
 */
export function assign(
  acquisition: Acquisition,
  catalogue: Catalogue,
  unclaimed: Set<number>,
): AssignedCategory[] {
  const { companyId, categories } = acquisition;
  return categories.map(({ id, name }) => {
    const category =
      id === undefined ? catalogue.byName(name ?? '', companyId) : catalogue.byId(id, companyId);
    if (!category) throw new Error('an acquisition was assigned that should have been refused');
    return {
      id: category.id,
      name: category.name,
      version: category.version,
      created: unclaimed.delete(category.id),
    };
  });
}

/** One reference for each job and category, at the highest version that asks for it. Refused ones have none. */
export function referencesOf(
  acquisitions: readonly Acquisition[],
  results: readonly (AssignedCategory[] | ServiceError)[],
  acquiredAt: number,
): Reference[] {
  const wanted = new Map<string, Reference>();
  for (const [index, { jobId, version }] of acquisitions.entries()) {
    const result = results[index];
    if (!Array.isArray(result)) continue;
    for (const { id: categoryId } of result) {
      const key = referenceKey({ jobId, categoryId });
      const highest = Math.max(version, wanted.get(key)?.version ?? 0);
      wanted.set(key, { jobId, categoryId, version: highest, acquiredAt });
    }
  }
  return [...wanted.values()];
}
