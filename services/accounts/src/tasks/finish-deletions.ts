import type { Bus } from '@joblisting/bus';
import { companyChanged } from '@joblisting/contracts';
import { type Clock, type Log, ownCall } from '@joblisting/service-kit';
import type { CompanyOwners } from '../clients/company-owners.ts';
import type { DeletionStore } from '../store/deletion-store.ts';

const BATCH = 20;
/** A company may have a thousand categories. */
const LIMIT_MS = 30_000;

interface FinishDeps {
  readonly deletions: DeletionStore;
  readonly owners: CompanyOwners;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

/**
 * Finishes deletions of companies once no request can create a job any more: removes categories and webhooks, and frees
 * the name.
 * If a job or application came meanwhile, the company comes back, so that nothing is left without an owner. A deletion
 * that fails is repeated by the next run.
 */
export function finishDeletions(deps: FinishDeps): () => Promise<void> {
  const { deletions, clock, log, stopping } = deps;

  return async () => {
    for (const id of await deletions.due(clock.now(), BATCH)) {
      if (stopping.aborted) return;
      try {
        await finishDeletion(id, deps);
      } catch (err) {
        log.warn({ err, companyId: id }, 'a deletion of a company was not finished; it will be tried again');
      }
    }
  };
}

async function finishDeletion(id: number, { deletions, owners, bus, log }: FinishDeps): Promise<void> {
  // The request may have ended before it notified. Gateways forget revoked keys without an event by now.
  bus.notify(companyChanged, { companyId: id });
  const context = ownCall(LIMIT_MS);
  const content = await owners.contentOf(id, context);
  if (content === undefined) {
    await owners.removeRest(id, context);
    await deletions.finish(id);
  } else {
    await deletions.undo(id);
    bus.notify(companyChanged, { companyId: id });
    log.warn({ companyId: id, content }, 'a company is back: something came while it was deleted');
  }
}
