import { nameKey } from '@joblisting/contracts';
import type { Category } from './category.ts';

/** The categories that matter to a set of acquisitions, as they stand in one snapshot. */
export interface Catalogue {
  /** The category of this id, if it is a system category or the company's. */
  readonly byId: (id: number, companyId: number) => Category | undefined;
  /** The category that the name stands for in the company, in whatever case. */
  readonly byName: (name: string, companyId: number) => Category | undefined;
}

export function catalogueOf(categories: readonly Category[]): Catalogue {
  const ids = new Map(categories.map((category) => [category.id, category]));
  const names = new Map(categories.map((category) => [slot(category.name, category.companyId), category]));
  return {
    byId: (id, companyId) => {
      const category = ids.get(id);
      return category && [null, companyId].includes(category.companyId) ? category : undefined;
    },
    byName: (name, companyId) => names.get(slot(name, null)) ?? names.get(slot(name, companyId)),
  };
}

/** What two categories cannot share: one name in one company, or among the system categories. */
export const slot = (name: string, companyId: number | null) => `${companyId}:${nameKey(name)}`;
