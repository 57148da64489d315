import type { Bus, CallContext } from '@joblisting/bus';
import { findActiveCategories, findHeldCategories, renameCategoryOnJobs } from '@joblisting/contracts';
import type { Category } from '../domain/category.ts';
import type { JobWithCategories, Reference } from '../domain/reference.ts';

export type JobsClient = ReturnType<typeof jobsClient>;

/** The requests of this service to `jobs`. */
export const jobsClient = (bus: Bus) => ({
  /** The ids of the categories that the company's published jobs have. */
  activeCategories: async (companyId: number, context: CallContext): Promise<Set<number>> => {
    const { data } = await bus.request(findActiveCategories, { body: { companyId }, context });
    return new Set(data.ids);
  },

  /** The jobs of at most 1,000 references, by id; those that do not exist are left out. */
  jobsOf: async (
    references: readonly Reference[],
    context: CallContext,
  ): Promise<Map<number, JobWithCategories>> => {
    if (references.length === 0) return new Map();
    const jobIds = [...new Set(references.map(({ jobId }) => jobId))];
    const { data } = await bus.request(findHeldCategories, { body: { jobIds }, context });
    return new Map(data.map((job) => [job.jobId, job]));
  },

  /** Gives every job that has the category its current name. */
  renameCategory: async ({ id, name, version }: Category, context: CallContext): Promise<void> => {
    await bus.request(renameCategoryOnJobs, { body: { categoryId: id, name, version }, context });
  },
});
