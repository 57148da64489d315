import type { ApplicationStore, ErasableApplication } from './application-store.ts';
import type { FileStore } from './file-store.ts';

/** Erases an application with all that is stored of it. The deadline is in epoch milliseconds. */
export type Erase = (application: ErasableApplication, deadline: number) => Promise<void>;

/** The record first: it says that its files are to be removed, in the same transaction, if a crash cuts this short. */
export const eraserOf =
  (applications: ApplicationStore, files: FileStore): Erase =>
  async (application, deadline) => {
    await applications.remove(application, deadline);
    await files.remove(application.files.map(({ storedAs }) => storedAs));
  };
