import { foldName, nameKey } from '@joblisting/contracts';
import { inTransaction, type Mongo } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import type { Category } from '../domain/category.ts';
import { firstPushAt, nextPushAt } from '../domain/rename.ts';
import { type CategoryRow, collections, toCategory } from './collections.ts';
import { nameSlots } from './names.ts';

/** What came of a rename: the category as it is now, or the one that has the name. `gone`: there is none. */
export type Renaming =
  | { readonly outcome: 'renamed'; readonly category: Category; readonly previousName: string }
  | { readonly outcome: 'unchanged' | 'taken'; readonly category: Category }
  | { readonly outcome: 'gone' };

interface RenameOptions {
  readonly now: number;
  readonly deadline: number;
  /** Where given, a category at any other version is `gone`. */
  readonly version?: number;
}

export type RenameStore = ReturnType<typeof renameStore>;

/**
 * Renames in the collection `categories`. A category that jobs have is marked until its new name is sure to be on
 * all of them; whoever sees the mark when its time has come can finish the rename.
 */
export function renameStore(mongo: Mongo) {
  const { categories, names } = collections(mongo);
  const slots = nameSlots(names);

  const write = async (before: CategoryRow, sent: string, now: number, session: ClientSession) => {
    const key = nameKey(sent);
    if (key !== before.nameKey) {
      await slots.giveBack(before.nameKey, session);
      await slots.takeForCompany(key, session);
    }
    const renaming = { startedAt: new Date(now), pushAt: new Date(firstPushAt(now)) };
    const onJobs = before.references > 0;
    const row = await categories.findOneAndUpdate(
      { _id: before._id },
      {
        $set: { name: foldName(sent), nameKey: key, ...(onJobs && { renaming }) },
        ...(!onJobs && { $unset: { renaming: '' } }),
        $inc: { version: 1 },
      },
      { session, returnDocument: 'after' },
    );
    if (!row) throw new Error('a category went away inside a transaction');
    return toCategory(row);
  };

  return {
    rename: (id: number, sent: string, options: RenameOptions): Promise<Renaming> =>
      inTransaction(mongo, options.deadline, async (session) => {
        const before = await categories.findOne({ _id: id }, { session });
        const { version } = options;
        if (!before || (version !== undefined && before.version !== version)) return { outcome: 'gone' };
        if (before.name === foldName(sent)) return { outcome: 'unchanged', category: toCategory(before) };
        const owners = { $in: [null, before.companyId] };
        const holder = await categories.findOne(
          { nameKey: nameKey(sent), companyId: owners, _id: { $ne: id } },
          { session },
        );
        if (holder) return { outcome: 'taken', category: toCategory(holder) };
        const category = await write(before, sent, options.now, session);
        return { outcome: 'renamed', category, previousName: before.name };
      }),

    /** The renames whose next push to `jobs` is due. */
    due: async (now: number, most: number): Promise<Category[]> => {
      const rows = await categories
        .find({ 'renaming.pushAt': { $lte: new Date(now) } })
        .limit(most)
        .toArray();
      return rows.map(toCategory);
    },

    /** Notes that `jobs` has this version of the name. Without effect once there is a later one. */
    pushed: async ({ id, version, renamedAt }: Category, now: number): Promise<void> => {
      if (renamedAt === undefined) return;
      const next = nextPushAt(renamedAt, now);
      await categories.updateOne(
        { _id: id, version, 'renaming.startedAt': new Date(renamedAt) },
        next === undefined ? { $unset: { renaming: '' } } : { $set: { 'renaming.pushAt': new Date(next) } },
      );
    },
  };
}
