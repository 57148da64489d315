import type { CallContext } from '@joblisting/bus';
import { deadlineExceeded, status } from '@joblisting/contracts';
import { batcher, isDuplicateKey, type Mongo, mutex, singleFlight } from '@joblisting/service-kit';
import type { HeldCategory, Job } from '../domain/job.ts';
import { categoryNameModel } from '../models/category-name.ts';
import { type JobDocument, jobModel } from '../models/job.ts';

export type CategoryStore = ReturnType<typeof categoryStore>;

export interface HeldCategories {
  readonly jobId: number;
  readonly version: number;
  readonly categoryIds: number[];
}

/** How many jobs one write renames: it must end well within the socket's time-out. */
const CHUNK = 1000;

/** The categories of jobs. `isSystem` identifies those that nobody can rename. */
export function categoryStore(mongo: Mongo, isSystem: (category: HeldCategory) => boolean) {
  const jobs = jobModel(mongo);
  const names = categoryNameModel(mongo);
  const readName = batcher(async (ids: readonly number[]) => {
    const found = await names.find({ _id: { $in: [...new Set(ids)] } }).lean();
    const byId = new Map(found.map((name) => [name._id, name]));
    return ids.map((id) => byId.get(id));
  });

  const activeOf = singleFlight<number[]>();
  const renameLocks = mutex();

  const setName = ({ id, name, version }: HeldCategory, jobIds: readonly number[]) =>
    jobs.updateMany(
      { _id: { $in: [...jobIds] } },
      { $set: { 'categories.$[stale].name': name, 'categories.$[stale].version': version } },
      { arrayFilters: [{ 'stale.id': id, 'stale.version': { $lt: version } }] },
    );

  /** The stored names that are newer than those of a job. */
  const newerNames = async (held: readonly HeldCategory[]): Promise<HeldCategory[]> => {
    const known = await Promise.all(held.map(({ id }) => readName(id)));
    return held.flatMap(({ id, version }, index) => {
      const newest = known[index];
      return newest && newest.version > version ? [{ id, name: newest.name, version: newest.version }] : [];
    });
  };

  return {
    /** The ids of the categories that the company's Published jobs have. */
    active: (companyId: number): Promise<number[]> =>
      activeOf(`${companyId}`, async () => {
        const filter = { companyId, statusId: status.published, 'categories.id': { $exists: true } };
        return (await jobs.distinct('categories.id', filter)).map(Number);
      }),

    /** Stores a category's name. Resolves to false if a newer one is known. */
    remember: async ({ id, name, version }: HeldCategory): Promise<boolean> => {
      try {
        await names.updateOne(
          { _id: id, version: { $lte: version } },
          { $set: { name, version } },
          { upsert: true },
        );
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /**
     * Gives a category its name on every job, one category of a consumer at a time, because each may write thousands.
     * Resolves to the number of changed jobs. Throws `deadline_exceeded` if it is not done by the deadline, or
     * `overloaded` if it could not start by then; `categories` sends the name again.
     */
    rename: (category: HeldCategory, { principal, deadline }: CallContext): Promise<number> =>
      renameLocks.run(`${principal?.consumerId ?? ''}`, deadline, async () => {
        const { id, version } = category;
        // The planner takes the partial index only with the plain id beside the $elemMatch.
        const stale = { 'categories.id': id, categories: { $elemMatch: { id, version: { $lt: version } } } };
        let renamed = 0;
        for (;;) {
          const found = await jobs.find(stale, { _id: 1 }).limit(CHUNK).lean();
          if (found.length === 0) return renamed;
          if (Date.now() >= deadline) throw deadlineExceeded();
          const ids = found.map(({ _id }) => _id);
          renamed += (await setName(category, ids)).modifiedCount;
        }
      }),

    /**
     * The just committed job with the newest names of its categories. A rename notes the name before it looks for jobs,
     * and a job looks for names after it is committed: one of the two always sees the other.
     */
    withCurrentNames: async (job: Job): Promise<Job> => {
      const newer = await newerNames(job.categories.filter((category) => !isSystem(category)));
      if (newer.length === 0) return job;
      // The version stays, as with any rename.
      for (const category of newer) await setName(category, [job.id]);
      const byId = new Map(newer.map((category) => [category.id, category]));
      return { ...job, categories: job.categories.map((category) => byId.get(category.id) ?? category) };
    },

    /** The categories of these jobs now, without deleted jobs. */
    held: async (jobIds: readonly number[]): Promise<HeldCategories[]> => {
      const found = await jobs
        .find({ _id: { $in: [...jobIds] } }, { version: 1, categories: 1 })
        .lean<Pick<JobDocument, '_id' | 'version' | 'categories'>[]>();
      return found.map(({ _id, version, categories }) => ({
        jobId: _id,
        version,
        categoryIds: categories.map(({ id }) => id),
      }));
    },
  };
}
