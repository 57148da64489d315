import { inTransaction, type Mongo } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import { limitReached } from '../domain/category.ts';
import { categoryModel } from '../models/category.ts';
import { customCountModel } from '../models/custom-count.ts';

const CORRECT_LIMIT_MS = 10_000;

interface Count {
  /** The company. */
  readonly _id: number;
  readonly customs: number;
}

export type CustomCounts = ReturnType<typeof customCounts>;

/** How many custom categories each company has, written in the transactions that add and remove them. */
export function customCounts(mongo: Mongo, limit: number) {
  const categories = categoryModel(mongo);
  const counts = customCountModel(mongo);

  return {
    /** Counts new categories of the company. Throws `category_limit` where they are too many. */
    add: async (companyId: number, added: number, session: ClientSession): Promise<void> => {
      const options = { session, upsert: true, returnDocument: 'after' } as const;
      const raise = { $inc: { customs: added } };
      const after = await counts.findOneAndUpdate({ _id: companyId }, raise, options).lean();
      if ((after?.customs ?? 0) > limit) throw limitReached(companyId, limit);
    },

    /** Throws `category_limit` where so many more would be too many. */
    requireRoom: async (companyId: number, more: number): Promise<void> => {
      const stored = await counts.findOne({ _id: companyId }).lean();
      if ((stored?.customs ?? 0) + more > limit) throw limitReached(companyId, limit);
    },

    /** Subtracts one category of the company. */
    remove: async (companyId: number, session: ClientSession): Promise<void> => {
      await counts.updateOne({ _id: companyId }, { $inc: { customs: -1 } }, { session });
    },

    /** Recounts every company, because an earlier release added and removed categories without counting. */
    correct: async (): Promise<void> => {
      const found = await categories.aggregate<Count>([
        { $match: { companyId: { $gt: 0 } } },
        { $group: { _id: '$companyId', customs: { $sum: 1 } } },
      ]);
      const actual = new Map(found.map(({ _id, customs }) => [_id, customs]));
      const stored = new Map((await counts.find().lean()).map(({ _id, customs }) => [_id, customs]));
      for (const companyId of new Set([...actual.keys(), ...stored.keys()])) {
        if (actual.get(companyId) === stored.get(companyId)) continue;
        await inTransaction(mongo, Date.now() + CORRECT_LIMIT_MS, async (session) => {
          const customs = await categories.countDocuments({ companyId }, { session });
          await counts.updateOne({ _id: companyId }, { $set: { customs } }, { session, upsert: true });
        });
      }
    },
  };
}
