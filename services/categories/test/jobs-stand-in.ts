import { findActiveCategories, findHeldCategories, renameCategoryOnJobs } from '@joblisting/contracts';
import { type Fault, standIn } from '@joblisting/testing/system';

/** A stand-in of the jobs service: the test sets its jobs and its faults. */
export function standInJobs() {
  /** The stored jobs. */
  const held = new Map<number, { version: number; categoryIds: number[] }>();
  /** Active categories by company. */
  const active = new Map<number, number[]>();
  /** The renames that were answered. */
  const renames: { categoryId: number; name: string; version: number }[] = [];

  const standIns = [
    standIn(findHeldCategories, async ({ body }) => ({
      data: body.jobIds.flatMap((jobId) => {
        const job = held.get(jobId);
        return job ? [{ jobId, ...job }] : [];
      }),
    })),
    standIn(findActiveCategories, async ({ body }) => ({ data: { ids: active.get(body.companyId) ?? [] } })),
    standIn(renameCategoryOnJobs, async ({ body }) => {
      renames.push(body);
      return { data: { jobs: 1 } };
    }),
  ];

  return {
    held,
    active,
    renames,
    standIns,
    /** How every operation fails. */
    set fault(fault: Fault | undefined) {
      for (const one of standIns) one.fault = fault;
    },
    /** Runs before each answer. */
    set before(work: (() => Promise<void>) | undefined) {
      for (const one of standIns) one.before = work;
    },
  };
}
