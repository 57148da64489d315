import type { Mongo } from '@joblisting/service-kit';
import { FINISH_AFTER_MS } from '../domain/deletion.ts';
import { companyModel } from '../models/company.ts';
import { isPresent } from './company-store.ts';

export type DeletionStore = ReturnType<typeof deletionStore>;

/** `foldName` leaves no line break in a name, so no company can have this key. */
const keyOfDeleted = (id: number): string => `\n${id}`;

/** Deletions of companies. The documents stay, so that a repeated deletion finds them. */
export function deletionStore(mongo: Mongo) {
  const companies = companyModel(mongo);

  return {
    stateOf: async (id: number): Promise<'present' | 'deleted' | 'unknown'> => {
      const document = await companies.findById(id, { deletedAt: 1 }).lean();
      if (!document) return 'unknown';
      return document.deletedAt ? 'deleted' : 'present';
    },

    /** Its name stays taken until the end, so that the company can come back. */
    begin: async (id: number, now: number): Promise<void> => {
      await companies.updateOne(
        { _id: id, ...isPresent },
        {
          $set: { deletedAt: new Date(now), finishAt: new Date(now + FINISH_AFTER_MS) },
          $unset: { renaming: '' },
        },
      );
    },

    /** The companies whose deletion is to be finished now. */
    due: async (now: number, most: number): Promise<number[]> => {
      const found = await companies
        .find({ finishAt: { $lte: new Date(now) } }, { _id: 1 })
        .limit(most)
        .lean();
      return found.map(({ _id }) => _id);
    },

    /** From now on another company may have the name. */
    finish: async (id: number): Promise<void> => {
      await companies.updateOne(
        { _id: id, finishAt: { $exists: true } },
        { $set: { nameKey: keyOfDeleted(id) }, $unset: { finishAt: '' } },
      );
    },

    undo: async (id: number): Promise<void> => {
      await companies.updateOne(
        { _id: id, finishAt: { $exists: true } },
        { $unset: { deletedAt: '', finishAt: '' } },
      );
    },
  };
}
