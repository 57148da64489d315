import type { countJobs, renameCompanyOnJobs } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CompanyStore } from '../store/company-store.ts';

/** Gives a company its new name on every job. */
export const renameCompanyHandler =
  (companies: CompanyStore): Handler<typeof renameCompanyOnJobs> =>
  async ({ body: { companyId, name }, context }) => ({
    data: { jobs: await companies.rename(companyId, name, context.deadline) },
  });

/** Counts a company's jobs. */
export const countJobsHandler =
  (companies: CompanyStore): Handler<typeof countJobs> =>
  async ({ body }) => ({ data: { jobs: await companies.count(body.companyId) } });
