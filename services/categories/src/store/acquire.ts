import { type AssignedCategory, nameKey, type ServiceError } from '@joblisting/contracts';
import { type Clock, inTransaction, type Mongo, type NextId } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import {
  type Acquisition,
  assign,
  type NewName,
  newNames,
  referencesOf,
  refusalOf,
} from '../domain/acquisition.ts';
import { catalogueOf, slot } from '../domain/catalogue.ts';
import type { Category } from '../domain/category.ts';
import type { Reference } from '../domain/reference.ts';
import { type CategoryRow, collections, newRow, toCategory } from './collections.ts';
import { ledger } from './ledger.ts';
import { nameSlots } from './names.ts';

/** The version at which a job is made. */
const FIRST_VERSION = 1;

/**
 * Acquires for many jobs at once, in one transaction. Both this and a removal write the category's document, so
 * that no job is given a category that goes away in the same moment: reading it in a snapshot would not be enough.
 */
export function acquireAll(mongo: Mongo, clock: Clock, nextCustomId: NextId) {
  const { categories, names, references } = collections(mongo);
  const { write } = ledger({ categories, references });
  const slots = nameSlots(names);

  const read = async (wanted: readonly Acquisition[], session: ClientSession): Promise<Category[]> => {
    const entries = wanted.flatMap((one) => one.categories);
    const ids = new Set(entries.flatMap(({ id }) => id ?? []));
    const keys = new Set(
      entries.flatMap(({ id, name }) => (id === undefined && name !== undefined ? nameKey(name) : [])),
    );
    const owners = [null, ...new Set(wanted.map(({ companyId }) => companyId))];
    const byId = { _id: { $in: [...ids] } };
    const named = { nameKey: { $in: [...keys] }, companyId: { $in: owners } };
    // Most acquisitions have ids alone, and need no planner that weighs a second index.
    const filter = keys.size === 0 ? byId : { $or: [byId, named] };
    const rows = await categories.find(filter, { session }).toArray();
    return rows.map(toCategory);
  };

  return (
    acquisitions: readonly Acquisition[],
    deadline: number,
  ): Promise<(AssignedCategory[] | ServiceError)[]> => {
    const ids = new Map<string, number>();

    /** An id stays with its name when the transaction is run again. */
    const rowFor = async ({ companyId, name }: NewName): Promise<CategoryRow> => {
      const key = slot(name, companyId);
      const id = ids.get(key) ?? (await nextCustomId());
      ids.set(key, id);
      return newRow(id, name, companyId);
    };

    return inTransaction(mongo, deadline, async (session, run) => {
      // A new job has none yet, unless its request came twice: a duplicate key says so, and the next run looks for all.
      // Worth: one of five statements for each group of new jobs.
      const mayBeThere = ({ version }: Reference): boolean => run > 0 || version > FIRST_VERSION;
      const found = await read(acquisitions, session);
      const before = catalogueOf(found);
      const refusals = acquisitions.map((one) => refusalOf(one, before));
      const accepted = acquisitions.filter((_one, index) => !refusals[index]);

      const made: CategoryRow[] = [];
      for (const name of newNames(accepted, before)) made.push(await rowFor(name));
      for (const row of made) await slots.takeForCompany(row.nameKey, session);
      if (made.length > 0) await categories.insertMany(made, { session });

      const after = catalogueOf([...found, ...made.map(toCategory)]);
      const unclaimed = new Set(made.map(({ _id }) => _id));
      const results = acquisitions.map((one, index) => refusals[index] ?? assign(one, after, unclaimed));
      await write(referencesOf(acquisitions, results, clock.now()), mayBeThere, session);
      return results;
    });
  };
}
