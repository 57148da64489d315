import { type Bus, type CallContext, connectBus } from '@joblisting/bus';
import {
  acquireCategories,
  type BodyOf,
  createCategory,
  getCategory,
  type Principal,
  releaseCategories,
} from '@joblisting/contracts';
import {
  connectMongo,
  type Mongo,
  ownCall,
  type RunningService,
  startService,
} from '@joblisting/service-kit';
import {
  databasePrefix,
  dropDatabase,
  startNats,
  testClock,
  type TestClock,
  testMongoUri,
} from '@joblisting/testing';
import { categoriesService } from '../src/index.ts';
import { categoryModel } from '../src/models/category.ts';
import { nameModel } from '../src/models/name.ts';
import { referenceModel } from '../src/models/reference.ts';
import { type JobsStandIn, serveJobs } from './jobs-stand-in.ts';

export const COMPANY = 7;
export const OTHER_COMPANY = 8;

export interface Running {
  readonly bus: Bus;
  readonly mongo: Mongo;
  readonly jobs: JobsStandIn;
  readonly clock: TestClock;
  /** One more replica on the same database. */
  readonly addReplica: () => Promise<RunningService>;
  readonly stop: () => Promise<void>;
}

/** The service on real servers, with a stand-in for `jobs` that keeps to its contracts. */
export async function runCategories(settings: Record<string, string> = {}): Promise<Running> {
  const nats = await startNats();
  const clock = testClock('2026-03-01T12:00:00Z');
  const database = `${databasePrefix()}categories`;
  const env = {
    NATS_URL: nats.url,
    MONGODB_URI: testMongoUri(),
    MONGODB_DATABASE: database,
    LOG_LEVEL: 'silent',
    SWEEP_EVERY_MS: '100',
    FINISH_RENAMES_EVERY_MS: '100',
    ...settings,
  };
  const bus = await connectBus({ url: nats.url, name: 'test' });
  const jobs = await serveJobs(nats.url);
  const replicas: RunningService[] = [];
  const addReplica = async () => {
    const replica = await startService(categoriesService, { env, clock });
    replicas.push(replica);
    return replica;
  };
  await addReplica();
  const mongo = await connectMongo(testMongoUri(), database);
  return {
    bus,
    mongo,
    jobs,
    clock,
    addReplica,
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await jobs.close();
      await bus.close();
      await nats.stop();
      await mongo.close();
      await dropDatabase(mongo.name);
    },
  };
}

/** The service's collections, as the test reads and writes them. */
export const collections = (mongo: Mongo) => ({
  categories: categoryModel(mongo),
  names: nameModel(mongo),
  references: referenceModel(mongo),
});

/** A call by keys that grant these companies. */
export function as(companyIds: readonly number[] = [COMPANY], limitMs = 10_000): CallContext {
  const principal: Principal = { consumerId: 1, scopes: [], userId: 1, companyIds: [...companyIds] };
  return { ...ownCall(limitMs), principal };
}

let lastName = 0;
/** A name that no test has used. */
export const newName = () => `Category ${process.pid}-${++lastName}`;

/** Requests and looks that many tests need. */
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
    /** Writes references to the category that are due to be checked, as if these jobs had acquired it an hour ago. */
    leaveReferences: async (categoryId: number, jobIds: readonly number[]) => {
      const anHourAgo = new Date(clock.now() - 3600_000);
      const shared = { categoryId, version: 1, acquiredAt: anHourAgo, checkAt: anHourAgo };
      const left = jobIds.map((jobId) => ({ _id: `${jobId}:${categoryId}`, jobId, ...shared }));
      await references.insertMany(left, { lean: true });
      await categories.updateOne({ _id: categoryId }, { $inc: { references: left.length } });
    },
    /** How many references the category counts, and how many the ledger has of it. */
    references: async (id: number) => {
      const counted = (await categories.findOne({ _id: id }).lean())?.references;
      return { counted, written: await references.countDocuments({ categoryId: id }) };
    },
  };
}
