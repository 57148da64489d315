import type { Bus, CallContext } from '@joblisting/bus';
import { getCompany } from '@joblisting/contracts';

export type CompaniesClient = ReturnType<typeof companiesClient>;

/** What this service requests of `accounts`. */
export const companiesClient = (bus: Bus) => ({
  /** Rejects with `company_not_found` if there is no such company. */
  require: async (id: number, context: CallContext): Promise<void> => {
    await bus.request(getCompany, { params: { id }, context });
  },
});
