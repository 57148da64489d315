import {
  countApplications,
  countJobs,
  removeCustomCategories,
  removeWebhooks,
  renameCompanyOnJobs,
  setRetention,
  unavailable,
} from '@joblisting/contracts';
import { standIn } from '@joblisting/testing/system';

/** Stand-ins of the services that own what belongs to a company. */
export function standInOwners() {
  const jobs = new Map<number, number>();
  const applications = new Map<number, number>();
  /** The requests about these companies are refused. */
  const refused = new Set<number>();
  const refuse = (companyId: number): void => {
    if (refused.has(companyId)) throw unavailable('database_away');
  };
  const rename = standIn(renameCompanyOnJobs, async ({ body }) => {
    refuse(body.companyId);
    return { data: { jobs: 1 } };
  });
  const removeCategories = standIn(removeCustomCategories, async ({ body }) => {
    refuse(body.companyId);
    return { data: { removed: 0 } };
  });
  const removeHooks = standIn(removeWebhooks, async () => ({ data: { removed: 0 } }));
  const retention = standIn(setRetention, async ({ body }) => ({ data: { days: body.days } }));
  const standIns = [
    rename,
    removeCategories,
    removeHooks,
    retention,
    standIn(countJobs, async ({ body }) => ({ data: { jobs: jobs.get(body.companyId) ?? 0 } })),
    standIn(countApplications, async ({ body }) => ({
      data: { applications: applications.get(body.companyId) ?? 0 },
    })),
  ];
  return { jobs, applications, refused, rename, removeCategories, removeHooks, retention, standIns };
}
