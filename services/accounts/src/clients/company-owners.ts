import type { Bus, CallContext } from '@joblisting/bus';
import {
  type Company,
  countApplications,
  countJobs,
  removeCustomCategories,
  removeWebhooks,
  renameCompanyOnJobs,
  setRetention,
} from '@joblisting/contracts';
import { contentInWords } from '../domain/deletion.ts';

export type CompanyOwners = ReturnType<typeof companyOwners>;

/** The requests of this service to the owners of what belongs to a company. */
export const companyOwners = (bus: Bus) => ({
  /** Shows the company's name on its jobs. */
  renameOnJobs: async ({ id, name }: Company, context: CallContext): Promise<void> => {
    await bus.request(renameCompanyOnJobs, { body: { companyId: id, name }, context });
  },

  /** What keeps the company from being deleted, in words; undefined if nothing does. */
  contentOf: async (companyId: number, context: CallContext): Promise<string | undefined> => {
    const call = { body: { companyId }, context };
    const [jobs, applications] = await Promise.all([
      bus.request(countJobs, call),
      bus.request(countApplications, call),
    ]);
    return contentInWords(jobs.data.jobs, applications.data.applications);
  },

  /** Removes what the company leaves behind. Categories first: jobs that came meanwhile hold them. */
  removeRest: async (companyId: number, context: CallContext): Promise<void> => {
    await bus.request(removeCustomCategories, { body: { companyId }, context });
    await bus.request(removeWebhooks, { body: { companyId }, context });
  },

  resetRetention: async (companyId: number, context: CallContext): Promise<void> => {
    await bus.request(setRetention, { body: { companyId, days: null }, context });
  },
});
