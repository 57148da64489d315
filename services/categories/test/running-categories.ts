import type { CallContext } from '@joblisting/bus';
import {
  acquireCategories,
  type BodyOf,
  createCategory,
  getCategory,
  type Principal,
  releaseCategories,
} from '@joblisting/contracts';
import { type Mongo, ownCall } from '@joblisting/service-kit';
import { testClock } from '@joblisting/testing';
import { runService } from '@joblisting/testing/system';
import { categoriesService } from '../src/index.ts';
import { categoryModel } from '../src/models/category.ts';
import { nameModel } from '../src/models/name.ts';
import { referenceModel } from '../src/models/reference.ts';
import { standInJobs } from './jobs-stand-in.ts';

export const COMPANY = 7;
export const OTHER_COMPANY = 8;

export type Running = Awaited<ReturnType<typeof runCategories>>;

/** The service with a stand-in of the jobs service. */
export async function runCategories(settings: Record<string, string> = {}) {
  const jobs = standInJobs();
  const running = await runService(categoriesService, {
    standIns: jobs.standIns,
    clock: testClock('2026-03-01T12:00:00Z'),
    env: { SWEEP_EVERY_MS: '100', FINISH_RENAMES_EVERY_MS: '100', ...settings },
  });
  return { ...running, jobs: Object.assign(jobs, running.standInsOf('jobs')) };
}

export const collections = (mongo: Mongo) => ({
  categories: categoryModel(mongo),
  names: nameModel(mongo),
  references: referenceModel(mongo),
});

/** The context of a caller whose keys grant these companies. */
export function as(companyIds: readonly number[] = [COMPANY], limitMs = 10_000): CallContext {
  const principal: Principal = { consumerId: 1, scopes: [], userId: 1, companyIds: [...companyIds] };
  return { ...ownCall(limitMs), principal };
}

let lastName = 0;
/** A name that no other test uses. */
export const newName = () => `Category ${process.pid}-${++lastName}`;

/** The calls that most tests make. */
export function client({ bus, mongo, clock }: Pick<Running, 'bus' | 'mongo' | 'clock'>) {
  const { categories, references } = collections(mongo);
  return {
    create: async (name = newName(), companyId = COMPANY) => {
      const body = { name, company: { id: companyId } };
      return (await bus.request(createCategory, { body, context: as([companyId]) })).data;
    },
    get: async (id: number) => (await bus.request(getCategory, { params: { id }, context: as() })).data,
    acquire: async (
      jobId: number,
      wanted: BodyOf<typeof acquireCategories>['categories'],
      { version = 1, companyId = COMPANY } = {},
    ) => {
      const body = { companyId, jobId, version, categories: wanted };
      return (await bus.request(acquireCategories, { body, context: as([]) })).data.categories;
    },
    release: async (jobId: number, version: number, keep: number[] = []) => {
      const body = { jobId, version, keep };
      return (await bus.request(releaseCategories, { body, context: as([]) })).data.released;
    },
    /** Stores references that are due for a check, as if these jobs had acquired the category an hour ago. */
    leaveReferences: async (categoryId: number, jobIds: readonly number[]) => {
      const anHourAgo = new Date(clock.now() - 3600_000);
      const shared = { categoryId, version: 1, acquiredAt: anHourAgo, checkAt: anHourAgo };
      const left = jobIds.map((jobId) => ({ _id: `${jobId}:${categoryId}`, jobId, ...shared }));
      await references.insertMany(left, { lean: true });
      await categories.updateOne({ _id: categoryId }, { $inc: { references: left.length } });
    },
    /** How many references the category counts, and how many are stored. */
    references: async (id: number) => {
      const counted = (await categories.findOne({ _id: id }).lean())?.references;
      return { counted, written: await references.countDocuments({ categoryId: id }) };
    },
  };
}
