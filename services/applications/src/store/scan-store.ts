import type { Mongo } from '@joblisting/service-kit';
import type { Application } from '../domain/application.ts';
import type { StoredFile } from '../domain/file.ts';
import { type ApplicationDocument, applicationModel } from '../models/application.ts';
import { toApplication } from './application-document.ts';

export type ScanStore = ReturnType<typeof scanStore>;

/** Files that wait for the virus scanner. */
export function scanStore(mongo: Mongo) {
  const applications = applicationModel(mongo);

  return {
    /** Applications with files to scan. Several replicas may scan the same ones, which does no harm. */
    pending: async (limit: number): Promise<Application[]> => {
      const found = applications.find({ 'files.scan': 'pending' }).limit(limit);
      return (await found.lean<ApplicationDocument[]>()).map(toApplication);
    },

    countPending: (): Promise<number> => applications.countDocuments({ 'files.scan': 'pending' }),

    note: async ({ id }: Application, file: StoredFile, scan: 'clean' | 'infected'): Promise<void> => {
      const place = { _id: id, files: { $elemMatch: { id: file.id, scan: 'pending' } } };
      await applications.updateOne(place, { $set: { 'files.$.scan': scan } });
    },
  };
}
