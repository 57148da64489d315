import type { Bus } from '@joblisting/bus';
import { companyChanged, type deleteCompany, keyRevoked, ServiceError } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import type { CompanyOwners } from '../clients/company-owners.ts';
import type { DeletionStore } from '../store/deletion-store.ts';
import type { KeyStore } from '../store/key-store.ts';
import { companyNotFound } from './companies.ts';

interface DeletionDeps {
  readonly deletions: DeletionStore;
  readonly keys: KeyStore;
  readonly owners: CompanyOwners;
  readonly bus: Bus;
  readonly clock: Clock;
}

/**
 * Deletes a company that has neither jobs nor applications, and its keys. The background finishes it, see
 * `finishDeletions`. A repetition takes the steps again that an earlier attempt may not have reached.
 */
export function deleteCompanyHandler(deps: DeletionDeps): Handler<typeof deleteCompany> {
  const { deletions, keys, owners, bus, clock } = deps;

  return async ({ params: { id }, context, note }) => {
    note({ companyId: id });
    const state = await deletions.stateOf(id);
    if (state === 'unknown') throw companyNotFound(id);
    if (state === 'present') {
      const content = await owners.contentOf(id, context);
      if (content !== undefined)
        throw new ServiceError('company_not_empty', `Company ${id} has ${content}. Delete them first.`);
      await owners.resetRetention(id, context);
      await deletions.begin(id, clock.now());
    }
    bus.notify(companyChanged, { companyId: id });
    const { revoked, narrowed } = await keys.removeCompany(id, clock.now());
    note({ revokedKeys: revoked.join(',') });
    for (const keyId of [...revoked, ...narrowed]) bus.notify(keyRevoked, { keyId });
    return { data: { id, revokedKeyIds: revoked }, outcome: 'deleted' };
  };
}
