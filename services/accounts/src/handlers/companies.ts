import {
  type createCompany,
  type getCompany,
  type listCompanies,
  type renameCompany,
  ServiceError,
} from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import type { CompanyStore } from '../store/company-store.ts';
import type { RenameStore } from '../store/rename-store.ts';

export const companyNotFound = (id: number): ServiceError =>
  new ServiceError('company_not_found', `There is no company ${id}.`);

const nameTaken = (id: number): ServiceError =>
  new ServiceError('company_name_taken', `Company ${id} already has this name.`);

export const createCompanyHandler =
  (companies: CompanyStore): Handler<typeof createCompany> =>
  async ({ body, note }) => {
    const { company, isTaken } = await companies.create(body.name);
    note({ companyId: company.id });
    if (isTaken) throw nameTaken(company.id);
    return { data: company, outcome: 'created', id: company.id };
  };

export const getCompanyHandler =
  (companies: CompanyStore): Handler<typeof getCompany> =>
  async ({ params }) => {
    const company = await companies.find(params.id);
    if (!company) throw companyNotFound(params.id);
    return { data: company };
  };

export const listCompaniesHandler =
  (companies: CompanyStore): Handler<typeof listCompanies> =>
  async () => ({ data: await companies.list() });

/** Renames a company. @param onRenamed called once the name is stored */
export const renameCompanyHandler =
  (renames: RenameStore, onRenamed: (id: number) => void, clock: Clock): Handler<typeof renameCompany> =>
  async ({ params: { id }, body, note }) => {
    note({ companyId: id });
    const renamed = await renames.rename(id, body.name, clock.now());
    if (renamed === undefined) throw companyNotFound(id);
    if (typeof renamed === 'number') throw nameTaken(renamed);
    onRenamed(id);
    return { data: renamed };
  };
