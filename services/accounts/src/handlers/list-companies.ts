import type { listCompanies } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CompanyStore } from '../store/company-store.ts';

export function listCompaniesHandler(companies: CompanyStore): Handler<typeof listCompanies> {
  return async () => ({ data: await companies.list() });
}
