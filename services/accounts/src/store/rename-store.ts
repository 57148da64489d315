import { type Company, foldName, nameKey } from '@joblisting/contracts';
import { isDuplicateKey, type Mongo } from '@joblisting/service-kit';
import { nextPushAt } from '../domain/rename.ts';
import { companyModel } from '../models/company.ts';
import { isPresent, toCompany } from './company-store.ts';

/** A company whose name `jobs` may not show everywhere yet. */
export interface RenamedCompany extends Company {
  /** Epoch milliseconds. */
  readonly renamedAt: number;
}

export type RenameStore = ReturnType<typeof renameStore>;

export function renameStore(mongo: Mongo) {
  const companies = companyModel(mongo);

  return {
    /** Undefined if there is no such company; the id of the company that has the name if it is taken. */
    rename: async (id: number, sent: string, now: number): Promise<Company | number | undefined> => {
      const named = { name: foldName(sent), nameKey: nameKey(sent) };
      const at = new Date(now);
      try {
        const renamed = await companies
          .findOneAndUpdate(
            { _id: id, ...isPresent },
            { $set: { ...named, renaming: { startedAt: at, pushAt: at } } },
            { returnDocument: 'after' },
          )
          .lean();
        return renamed ? toCompany(renamed) : undefined;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const holder = await companies.findOne({ nameKey: named.nameKey }, { _id: 1 }).lean();
        if (!holder) throw error;
        return holder._id;
      }
    },

    /** The names to send to `jobs` now. */
    due: async (now: number, most: number): Promise<RenamedCompany[]> => {
      const found = await companies
        .find({ 'renaming.pushAt': { $lte: new Date(now) } })
        .limit(most)
        .lean();
      return found.map(({ _id, name, renaming }) => ({
        id: _id,
        name,
        renamedAt: renaming?.startedAt.getTime() ?? now,
      }));
    },

    /** Notes that `jobs` has the name. Without effect once there is a later one. */
    markPushed: async ({ id, renamedAt }: RenamedCompany, now: number): Promise<void> => {
      const next = nextPushAt(renamedAt, now);
      await companies.updateOne(
        { _id: id, 'renaming.startedAt': new Date(renamedAt) },
        next === undefined ? { $unset: { renaming: '' } } : { $set: { 'renaming.pushAt': new Date(next) } },
      );
    },
  };
}
