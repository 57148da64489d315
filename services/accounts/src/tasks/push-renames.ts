import { type Clock, ownCall } from '@joblisting/service-kit';
import type { CompanyOwners } from '../clients/company-owners.ts';
import type { RenameStore } from '../store/rename-store.ts';

const BATCH = 20;
/** One push may write every job of a company. */
const LIMIT_MS = 30_000;

/** Sends new names of companies to `jobs`. A push that fails is repeated by the next run, and goes on where it was. */
export const pushRenames =
  (renames: RenameStore, owners: CompanyOwners, clock: Clock, stopping: AbortSignal) =>
  async (): Promise<void> => {
    for (const company of await renames.due(clock.now(), BATCH)) {
      if (stopping.aborted) return;
      const pushedAt = clock.now();
      await owners.renameOnJobs(company, ownCall(LIMIT_MS));
      await renames.markPushed(company, pushedAt);
    }
  };
