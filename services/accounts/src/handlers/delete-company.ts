import type { Bus } from '@joblisting/bus';
import { companyChanged, type deleteCompany, keyRevoked, ServiceError } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import type { CompanyOwners } from '../clients/company-owners.ts';
import type { DeletionStore } from '../store/deletion-store.ts';
import { companyNotFound } from './companies.ts';

interface DeletionDeps {
  readonly deletions: DeletionStore;
  readonly owners: CompanyOwners;
  readonly bus: Bus;
  readonly clock: Clock;
}

/**
 * Deletes a company that has neither jobs nor applications, and its keys. The background finishes it, see
 * `finishDeletions`. A repetition notifies again.
 */
export function deleteCompanyHandler(deps: DeletionDeps): Handler<typeof deleteCompany> {
  const { deletions, owners, bus, clock } = deps;

  return async ({ params: { id }, context, note }) => {
    note({ companyId: id });
    const state = await deletions.stateOf(id);
    if (state === 'unknown') throw companyNotFound(id);
    if (state === 'present') {
      const content = await owners.contentOf(id, context);
      if (content !== undefined)
        throw new ServiceError('company_not_empty', `Company ${id} has ${content}. Delete them first.`);
      await owners.resetRetention(id, context);
    }
    const { revoked, narrowed } = await deletions.begin(id, clock.now(), context.deadline);
    note({ revokedKeys: revoked.join(',') });
    bus.notify(companyChanged, { companyId: id });
    for (const keyId of [...revoked, ...narrowed]) bus.notify(keyRevoked, { keyId });
    return { data: { id, revokedKeyIds: revoked, narrowedKeyIds: narrowed }, outcome: 'deleted' };
  };
}
