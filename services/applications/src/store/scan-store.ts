import { inTransaction, type Mongo } from '@joblisting/service-kit';
import type { Application } from '../domain/application.ts';
import type { StoredFile } from '../domain/file.ts';
import { type ApplicationDocument, applicationModel } from '../models/application.ts';
import { toApplication } from './application-document.ts';
import type { FileStore } from './file-store.ts';

const SAVE_LIMIT_MS = 10_000;

export type ScanStore = ReturnType<typeof scanStore>;

/** Files that wait for the virus scanner. */
export function scanStore(mongo: Mongo, files: FileStore) {
  const applications = applicationModel(mongo);
  const isPending = { 'files.scan': 'pending' } as const;

  return {
    /** Applications with files to scan, by id, after `after`. Several replicas may scan the same ones: no harm. */
    pending: async (after: number, limit: number): Promise<Application[]> => {
      const found = applications.find({ ...isPending, _id: { $gt: after } }).sort({ _id: 1 });
      return (await found.limit(limit).lean<ApplicationDocument[]>()).map(toApplication);
    },

    /** When the application came whose files wait for the longest time, in epoch ms; undefined if none waits. */
    oldestPending: async (): Promise<number | undefined> => {
      const found = applications.findOne(isPending, { receivedAt: 1 }).sort({ receivedAt: 1 });
      return (await found.lean())?.receivedAt.getTime();
    },

    /** Notes what the scanner found, and removes the bytes of an infected file, in one transaction. */
    saveResult: (id: number, file: StoredFile, scan: 'clean' | 'infected'): Promise<void> =>
      inTransaction(mongo, Date.now() + SAVE_LIMIT_MS, async (session) => {
        const place = { _id: id, files: { $elemMatch: { id: file.id, scan: 'pending' } } };
        await applications.updateOne(place, { $set: { 'files.$.scan': scan } }, { session });
        if (scan === 'infected') await files.remove([file.storedAs], session);
      }),

    /** Lets files go unscanned that waited for a scanner which is no longer set. */
    skipPending: async (): Promise<void> => {
      await applications.updateMany(
        isPending,
        { $set: { 'files.$[file].scan': 'none' } },
        { arrayFilters: [{ 'file.scan': 'pending' }] },
      );
    },
  };
}
