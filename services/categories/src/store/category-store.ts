import {
  inTransaction,
  type KeptAnswer,
  type keptAnswersIn,
  keyInFlight,
  type Mongo,
  type NextId,
} from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import type { Category } from '../domain/category.ts';
import { collections, newRow, toCategory } from './collections.ts';
import { nameSlots } from './names.ts';

/** What came of an attempt to take a name: the category that has it now, `taken` where it had it before. */
export interface Naming {
  readonly category: Category;
  readonly taken: boolean;
}

interface CreateOptions {
  readonly deadline: number;
  /** The answer to keep where the category is created, for a request with an Idempotency-Key. */
  readonly keep: ((created: Category) => KeptAnswer) | undefined;
}

export type Removal = 'removed' | 'assigned' | 'gone';

export type CategoryStore = ReturnType<typeof categoryStore>;

/** Reads, creation and removal in the collection `categories`. Deadlines are in epoch milliseconds. */
export function categoryStore(mongo: Mongo, nextCustomId: NextId, answers: ReturnType<typeof keptAnswersIn>) {
  const { categories, names } = collections(mongo);
  const slots = nameSlots(names);

  const keepAnswer = async (answer: KeptAnswer, session: ClientSession): Promise<void> => {
    const taken = await answers.taken([answer.key], session);
    // Another replica was faster with this key: nothing of this is done, and its answer is given.
    if (taken.size > 0) throw keyInFlight();
    await answers.insert([answer], session);
  };

  return {
    find: async (id: number): Promise<Category | undefined> => {
      const row = await categories.findOne({ _id: id });
      return row ? toCategory(row) : undefined;
    },

    /** The system categories, and those of the company if one is given, by id. */
    list: async (companyId?: number): Promise<Category[]> => {
      const owners = companyId === undefined ? [null] : [null, companyId];
      const rows = await categories
        .find({ companyId: { $in: owners } })
        .sort({ _id: 1 })
        .toArray();
      return rows.map(toCategory);
    },

    /** Rejects with `idempotency_key_in_flight` where the key has an answer, with a name that was free. */
    create: async (companyId: number, sent: string, { deadline, keep }: CreateOptions): Promise<Naming> => {
      const row = newRow(await nextCustomId(), sent, companyId);
      return inTransaction(mongo, deadline, async (session) => {
        const namesakes = { nameKey: row.nameKey, companyId: { $in: [null, companyId] } };
        const holder = await categories.findOne(namesakes, { session });
        if (holder) return { category: toCategory(holder), taken: true };
        await slots.takeForCompany(row.nameKey, session);
        await categories.insertOne(row, { session });
        const category = toCategory(row);
        if (keep) await keepAnswer(keep(category), session);
        return { category, taken: false };
      });
    },

    /** Removes a custom category if nothing refers to it: acquiring writes the same document, so one of both waits. */
    remove: (id: number, deadline: number): Promise<Removal> =>
      inTransaction(mongo, deadline, async (session) => {
        const unreferenced = { _id: id, companyId: { $ne: null }, references: 0 };
        const removed = await categories.findOneAndDelete(unreferenced, { session });
        if (removed) {
          await slots.giveBack(removed.nameKey, session);
          return 'removed';
        }
        return (await categories.findOne({ _id: id }, { session })) ? 'assigned' : 'gone';
      }),
  };
}
