import { type createCompany, type getCompany, type listCompanies, ServiceError } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CompanyStore } from '../store/company-store.ts';

export const createCompanyHandler =
  (companies: CompanyStore): Handler<typeof createCompany> =>
  async ({ body }) => {
    const { company, isTaken } = await companies.create(body.name);
    if (isTaken) throw new ServiceError('company_name_taken', `Company ${company.id} already has this name.`);
    return { data: company, outcome: 'created', id: company.id };
  };

export const getCompanyHandler =
  (companies: CompanyStore): Handler<typeof getCompany> =>
  async ({ params }) => {
    const company = await companies.find(params.id);
    if (!company) throw new ServiceError('company_not_found', `There is no company ${params.id}.`);
    return { data: company };
  };

export const listCompaniesHandler =
  (companies: CompanyStore): Handler<typeof listCompanies> =>
  async () => ({ data: await companies.list() });
