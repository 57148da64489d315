import { foldName, nameKey } from '@joblisting/contracts';
import { inTransaction, type Mongo } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import type { Category } from '../domain/category.ts';
import { firstPushAt, nextPushAt, type RenameResult } from '../domain/rename.ts';
import { type CategoryDocument, categoryModel } from '../models/category.ts';
import { toCategory } from './category-store.ts';
import { nameStore } from './names.ts';

interface RenameOptions {
  readonly now: number;
  readonly deadline: number;
  /** If given, only this version is renamed. */
  readonly version?: number;
}

export type RenameStore = ReturnType<typeof renameStore>;

/** Renames. A category with references is marked `renaming` until every job is sure to show its new name. */
export function renameStore(mongo: Mongo) {
  const categories = categoryModel(mongo);
  const names = nameStore(mongo);

  const write = async (before: CategoryDocument, name: string, now: number, session: ClientSession) => {
    const key = nameKey(name);
    if (key !== before.nameKey) {
      await names.releaseForCompany(before.nameKey, session);
      await names.takeForCompany(key, session);
    }
    const stored = foldName(name);
    const { companyId, version } = before;
    const renamed = {
      name: stored,
      nameKey: key,
      ...(typeof companyId === 'number' && {
        change: {
          kind: 'renamed',
          companyId,
          version: version + 1,
          name: stored,
          at: new Date(now),
        } as const,
      }),
    };
    const renaming = { startedAt: new Date(now), pushAt: new Date(firstPushAt(now)) };
    const update =
      before.references > 0
        ? { $set: { ...renamed, renaming }, $inc: { version: 1 } }
        : { $set: renamed, $unset: { renaming: '' }, $inc: { version: 1 } };
    const options = { session, returnDocument: 'after' } as const;
    const after = await categories.findOneAndUpdate({ _id: before._id }, update, options).lean();
    if (!after) throw new Error('a category went away inside a transaction');
    return toCategory(after);
  };

  return {
    rename: (id: number, name: string, { now, deadline, version }: RenameOptions): Promise<RenameResult> =>
      inTransaction(mongo, deadline, async (session) => {
        const before = await categories.findOne({ _id: id }, null, { session }).lean();
        if (!before || (version !== undefined && before.version !== version)) return { outcome: 'not_found' };
        if (before.name === foldName(name)) return { outcome: 'unchanged', category: toCategory(before) };
        const owners = { $in: [null, before.companyId ?? null] };
        const namesakes = { nameKey: nameKey(name), companyId: owners, _id: { $ne: id } };
        const holder = await categories.findOne(namesakes, null, { session }).lean();
        if (holder) return { outcome: 'name_taken', category: toCategory(holder) };
        const category = await write(before, name, now, session);
        return { outcome: 'renamed', category, previousName: before.name };
      }),

    /** The renames to push now. */
    due: async (now: number, limit: number): Promise<Category[]> => {
      const found = await categories
        .find({ 'renaming.pushAt': { $lte: new Date(now) } })
        .limit(limit)
        .lean();
      return found.map(toCategory);
    },

    /** Records that `jobs` has this version of the name. Has no effect once there is a later one. */
    markPushed: async ({ id, version, renamedAt }: Category, now: number): Promise<void> => {
      if (renamedAt === undefined) return;
      const next = nextPushAt(renamedAt, now);
      await categories.updateOne(
        { _id: id, version, 'renaming.startedAt': new Date(renamedAt) },
        next === undefined ? { $unset: { renaming: '' } } : { $set: { 'renaming.pushAt': new Date(next) } },
      );
    },
  };
}
