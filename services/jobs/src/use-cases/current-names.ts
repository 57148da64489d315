import type { Job } from '../domain/job.ts';
import type { CategoryStore } from '../store/category-store.ts';
import { afterCommit } from './refusals.ts';

/**
 * The just committed job with the newest names of its categories. A rename notes the name before it looks for
 * jobs, and a job looks for names after it is committed: one of the two always sees the other.
 */
export const withCurrentNames = (names: CategoryStore, job: Job): Promise<Job> =>
  afterCommit(refreshed(names, job));

async function refreshed(names: CategoryStore, job: Job): Promise<Job> {
  if (job.categories.length === 0) return job;
  const newer = await names.newerNames(job.categories);
  if (newer.length === 0) return job;
  await names.refreshNames(job.id, newer);
  const byId = new Map(newer.map((category) => [category.id, category]));
  return { ...job, categories: job.categories.map((category) => byId.get(category.id) ?? category) };
}
