import {
  countApplications,
  countJobs,
  removeCustomCategories,
  renameCompanyOnJobs,
  setRetention,
} from '@joblisting/contracts';
import { standIn } from '@joblisting/testing/system';

/** Stand-ins of the services that own what belongs to a company. */
export function standInOwners() {
  const jobs = new Map<number, number>();
  const applications = new Map<number, number>();
  const rename = standIn(renameCompanyOnJobs, async () => ({ data: { jobs: 1 } }));
  const removeCategories = standIn(removeCustomCategories, async () => ({ data: { removed: 0 } }));
  const retention = standIn(setRetention, async ({ body }) => ({ data: { days: body.days } }));
  const standIns = [
    rename,
    removeCategories,
    retention,
    standIn(countJobs, async ({ body }) => ({ data: { jobs: jobs.get(body.companyId) ?? 0 } })),
    standIn(countApplications, async ({ body }) => ({
      data: { applications: applications.get(body.companyId) ?? 0 },
    })),
  ];
  return { jobs, applications, rename, removeCategories, retention, standIns };
}
