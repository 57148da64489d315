import { type createCompany, ServiceError } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CompanyStore } from '../store/company-store.ts';

export function createCompanyHandler(companies: CompanyStore): Handler<typeof createCompany> {
  return async ({ body }) => {
    const { company, taken } = await companies.create(body.name);
    if (taken) throw new ServiceError('company_name_taken', `Company ${company.id} already has this name.`);
    return { data: company, outcome: 'created', id: company.id };
  };
}
