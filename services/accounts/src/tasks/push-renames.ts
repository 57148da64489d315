import { type Clock, type Log, ownCall } from '@joblisting/service-kit';
import type { CompanyOwners } from '../clients/company-owners.ts';
import type { RenamedCompany, RenameStore } from '../store/rename-store.ts';

const BATCH = 20;
/** One push may write every job of a company. */
const LIMIT_MS = 30_000;

interface PushDeps {
  readonly renames: RenameStore;
  readonly owners: CompanyOwners;
  readonly clock: Clock;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

/** Sends new names of companies to `jobs`. A push that fails is repeated by the next run, and goes on where it was. */
export function pushRenames(deps: PushDeps): () => Promise<void> {
  const { renames, clock, log, stopping } = deps;

  return async () => {
    for (const company of await renames.due(clock.now(), BATCH)) {
      if (stopping.aborted) return;
      try {
        await pushRename(company, deps);
      } catch (err) {
        log.warn(
          { err, companyId: company.id },
          'a new name of a company was not sent; it will be tried again',
        );
      }
    }
  };
}

async function pushRename(company: RenamedCompany, { renames, owners, clock }: PushDeps): Promise<void> {
  const pushedAt = clock.now();
  await owners.renameOnJobs(company, ownCall(LIMIT_MS));
  await renames.markPushed(company, pushedAt);
}
