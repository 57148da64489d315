import { inTransaction, type Mongo } from '@joblisting/service-kit';
import { LAST_SYSTEM_ID } from '../domain/category.ts';
import type { Naming } from './category-store.ts';
import { collections, newRow, toCategory } from './collections.ts';
import { nameSlots } from './names.ts';

/** `idTaken` and `full` leave everything as it was. */
export type SystemNaming = Naming | 'idTaken' | 'full';

export type SystemStore = ReturnType<typeof systemStore>;

/** Adds system categories. Their ids are dense and fixed, so they are chosen here and not taken from a block. */
export function systemStore(mongo: Mongo) {
  const { categories, names } = collections(mongo);
  const slots = nameSlots(names);

  return {
    ids: async (): Promise<Set<number>> => {
      const rows = await categories.find({ companyId: null }, { projection: { _id: 1 } }).toArray();
      return new Set(rows.map(({ _id }) => _id));
    },

    /** A name is taken where any company has it: it would then stand for two categories there. */
    add: (sent: string, wantedId: number | undefined, deadline: number): Promise<SystemNaming> =>
      inTransaction(mongo, deadline, async (session) => {
        const last = await categories
          .find({ companyId: null }, { session })
          .sort({ _id: -1 })
          .limit(1)
          .next();
        const row = newRow(wantedId ?? (last?._id ?? 0) + 1, sent, null);
        const holder = await categories.findOne({ nameKey: row.nameKey }, { session });
        if (holder) return { category: toCategory(holder), taken: true };
        if (row._id > LAST_SYSTEM_ID) return 'full';
        if (await categories.findOne({ _id: row._id }, { session })) return 'idTaken';
        await slots.takeForAll(row.nameKey, row._id, session);
        await categories.insertOne(row, { session });
        return { category: toCategory(row), taken: false };
      }),
  };
}
