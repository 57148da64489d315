import type { Mongo } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import { limitReached } from '../domain/category.ts';
import { categoryModel } from '../models/category.ts';
import { customCountModel } from '../models/custom-count.ts';

export type CustomCounts = ReturnType<typeof customCounts>;

/** How many custom categories each company has, written in the transactions that add and remove them. */
export function customCounts(mongo: Mongo, limit: number) {
  const counts = customCountModel(mongo);

  return {
    /** Counts new categories of the company. Throws `category_limit` where they are too many. */
    add: async (companyId: number, added: number, session: ClientSession): Promise<void> => {
      const options = { session, upsert: true, returnDocument: 'after' } as const;
      const raise = { $inc: { customs: added } };
      const after = await counts.findOneAndUpdate({ _id: companyId }, raise, options).lean();
      if ((after?.customs ?? 0) > limit) throw limitReached(companyId, limit);
    },

    /** Counts a category of the company less. */
    remove: async (companyId: number, session: ClientSession): Promise<void> => {
      await counts.updateOne({ _id: companyId }, { $inc: { customs: -1 } }, { session });
    },

    /** Counts the categories of companies without a count: earlier releases kept none. */
    addMissing: async (): Promise<void> => {
      const found = await categoryModel(mongo).aggregate<{ _id: number; customs: number }>([
        { $match: { companyId: { $gt: 0 } } },
        { $group: { _id: '$companyId', customs: { $sum: 1 } } },
      ]);
      const missing = found.map(({ _id, customs }) => ({
        updateOne: { filter: { _id }, update: { $setOnInsert: { customs } }, upsert: true },
      }));
      if (missing.length > 0) await counts.bulkWrite(missing, { ordered: false });
    },
  };
}
