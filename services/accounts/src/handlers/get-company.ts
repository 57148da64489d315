import { type getCompany, ServiceError } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CompanyStore } from '../store/company-store.ts';

export function getCompanyHandler(companies: CompanyStore): Handler<typeof getCompany> {
  return async ({ params }) => {
    const company = await companies.find(params.id);
    if (!company) throw new ServiceError('company_not_found', `There is no company ${params.id}.`);
    return { data: company };
  };
}
