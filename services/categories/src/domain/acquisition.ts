import {
  type AssignedCategory,
  type BodyOf,
  foldName,
  nameKey,
  type previewCategories,
  ServiceError,
  type Violation,
} from '@joblisting/contracts';
import type { Category } from './category.ts';

/** The categories that a job names, and its company. */
export type NamedCategories = BodyOf<typeof previewCategories>;
type Entry = NamedCategories['categories'][number];

/** The category that an entry names, by its id or else by its name. Of two with one name, the first wins. */
function findCategory(known: readonly Category[], { id, name }: Entry): Category | undefined {
  if (id !== undefined) return known.find((category) => category.id === id);
  if (name === undefined) return undefined;
  const key = nameKey(name);
  return known.find((category) => nameKey(category.name) === key);
}

/**
 * Throws `validation_failed` with a pointer for each entry that has an unknown id, or neither id nor name.
 * @param known the categories that the entries name and the company may use
 */
export function requireKnown({ categories }: NamedCategories, known: readonly Category[]): void {
  const errors = categories.flatMap((entry, index): Violation[] => {
    const { id, name } = entry;
    if (id === undefined && name === undefined) {
      const detail = `categories[${index}] must have an id or a name.`;
      return [{ pointer: `#/categories/${index}`, code: 'required', detail }];
    }
    if (id === undefined || findCategory(known, entry)) return [];
    const detail = `There is no category ${id}.`;
    return [{ pointer: `#/categories/${index}/id`, code: 'unknown_id', detail }];
  });
  if (errors.length === 0) return;
  const detail = 'Some categories cannot be assigned; see "errors".';
  throw new ServiceError('validation_failed', detail, { errors });
}

/** The names that no category has yet, folded, each once. A name beside an id does not count. */
export function newNames({ categories }: NamedCategories, known: readonly Category[]): string[] {
  const byKey = new Map<string, string>();
  for (const entry of categories) {
    const { id, name } = entry;
    if (id !== undefined || name === undefined || findCategory(known, entry)) continue;
    const key = nameKey(name);
    if (!byKey.has(key)) byKey.set(key, foldName(name));
  }
  return [...byKey.values()];
}

/**
 * The category of each entry, in the order sent. A new category is `created` for its first entry only.
 * @param known includes `newCategories`
 */
export function assign(
  { categories }: NamedCategories,
  known: readonly Category[],
  newCategories: readonly Category[],
): AssignedCategory[] {
  const createdIds = new Set(newCategories.map(({ id }) => id));
  return categories.map((entry) => {
    const category = findCategory(known, entry);
    if (!category) throw new Error('an entry has no category, although all were required to');
    const { id, name, version } = category;
    return { id, name, version, created: createdIds.delete(id) };
  });
}
