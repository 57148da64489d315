import type { setRetention } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CompaniesClient } from '../clients/companies.ts';
import type { RetentionStore } from '../store/retention-store.ts';

/** Sets how long a company's applications are kept, for an operator. Throws `company_not_found`. */
export const setRetentionHandler =
  (companies: CompaniesClient, retention: RetentionStore): Handler<typeof setRetention> =>
  async ({ body: { companyId, days }, context }) => {
    await companies.require(companyId, context);
    await retention.set(companyId, days);
    return { data: { days } };
  };
