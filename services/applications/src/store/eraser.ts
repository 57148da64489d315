import type { Application } from '../domain/application.ts';
import type { ApplicationStore } from './application-store.ts';
import type { FileStore } from './file-store.ts';

/** Erases an application with all that is stored of it. */
export type Erase = (application: Application, deadline: number) => Promise<void>;

/** Files first: while the record is there, an erasure that a crash has cut short can be repeated. */
export const eraserOf =
  (applications: ApplicationStore, files: FileStore): Erase =>
  async (application, deadline) => {
    await files.remove(application.files.map(({ storedAs }) => storedAs));
    await applications.remove(application, deadline);
  };
