import { foldName, nameKey } from '@joblisting/contracts';
import type { Mongo } from '@joblisting/service-kit';
import type { Category } from '../domain/category.ts';

/** `renaming` is there while jobs may still show an older name. */
export interface CategoryRow {
  readonly _id: number;
  readonly name: string;
  readonly nameKey: string;
  readonly companyId: number | null;
  readonly version: number;
  readonly references: number;
  readonly renaming?: { readonly startedAt: Date; readonly pushAt: Date };
}

/**
 * Who has a name. A unique index holds a name within a company, or within the system categories; between the two
 * no index can. So every transaction that takes a name writes the name's one row here, and a system category and a
 * custom one that want the same name at the same time conflict.
 */
export interface NameRow {
  readonly _id: string;
  readonly systemId: number | null;
  readonly customs: number;
}

/** A reference under the key `<jobId>:<categoryId>`. `checkAt` is when the sweep asks `jobs` about it. */
export interface ReferenceRow {
  readonly _id: string;
  readonly jobId: number;
  readonly categoryId: number;
  readonly version: number;
  readonly acquiredAt: Date;
  readonly checkAt: Date;
}

export type Collections = ReturnType<typeof collections>;

export const collections = (mongo: Mongo) => ({
  categories: mongo.collection<CategoryRow>('categories'),
  names: mongo.collection<NameRow>('names'),
  references: mongo.collection<ReferenceRow>('assignments'),
});

/** Makes the collections as well, that of the names by the index it has anyway: none is to come into being inside a transaction. */
export async function createIndexes(mongo: Mongo): Promise<void> {
  const { categories, names, references } = collections(mongo);
  await Promise.all([
    names.createIndex({ _id: 1 }),
    categories.createIndexes([
      { key: { nameKey: 1, companyId: 1 }, unique: true },
      { key: { companyId: 1 } },
      { key: { 'renaming.pushAt': 1 }, sparse: true },
    ]),
    references.createIndexes([
      { key: { jobId: 1 } },
      { key: { categoryId: 1, acquiredAt: 1 } },
      { key: { checkAt: 1 } },
    ]),
  ]);
}

export const toCategory = (row: CategoryRow): Category => ({
  id: row._id,
  name: row.name,
  companyId: row.companyId,
  version: row.version,
  references: row.references,
  renamedAt: row.renaming?.startedAt.getTime(),
});

export const newRow = (id: number, sent: string, companyId: number | null): CategoryRow => ({
  _id: id,
  name: foldName(sent),
  nameKey: nameKey(sent),
  companyId,
  version: 1,
  references: 0,
});
