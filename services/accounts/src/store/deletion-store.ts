import { inTransaction, type Mongo } from '@joblisting/service-kit';
import { FINISH_AFTER_MS } from '../domain/deletion.ts';
import { companyModel } from '../models/company.ts';
import { isPresent } from './company-store.ts';
import type { KeyStore, RemovedFromKeys } from './key-store.ts';

export type DeletionStore = ReturnType<typeof deletionStore>;

/** `foldName` leaves no line break in a name, so no company can have this key. */
const keyOfDeleted = (id: number): string => `\n${id}`;

/** Deletions of companies. The documents stay, so that a repeated deletion finds them. */
export function deletionStore(mongo: Mongo, keys: KeyStore) {
  const companies = companyModel(mongo);

  return {
    stateOf: async (id: number): Promise<'present' | 'deleted' | 'unknown'> => {
      const document = await companies.findById(id, { deletedAt: 1 }).lean();
      if (!document) return 'unknown';
      return document.deletedAt ? 'deleted' : 'present';
    },

    /**
     * Deletes the company and takes it from its keys, in one transaction. Its name stays taken until the end, so that the
     * company can come back. A repetition resolves to the same. Rejects as `inTransaction` does.
     */
    begin: (id: number, now: number, deadline: number): Promise<RemovedFromKeys> =>
      inTransaction(mongo, deadline, async (session) => {
        await companies.updateOne(
          { _id: id, ...isPresent },
          {
            $set: { deletedAt: new Date(now), finishAt: new Date(now + FINISH_AFTER_MS) },
            $unset: { renaming: '' },
          },
          { session },
        );
        const { revoked, narrowed } = await keys.removeCompany(id, now, session);
        const update = { $addToSet: { narrowedKeyIds: { $each: narrowed } } };
        const options = { session, returnDocument: 'after' } as const;
        const company = await companies.findOneAndUpdate({ _id: id }, update, options).lean();
        return { revoked, narrowed: company?.narrowedKeyIds ?? [] };
      }),

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

    /** The keys stay without the company. */
    undo: async (id: number): Promise<void> => {
      await companies.updateOne(
        { _id: id, finishAt: { $exists: true } },
        { $unset: { deletedAt: '', finishAt: '', narrowedKeyIds: '' } },
      );
    },
  };
}
