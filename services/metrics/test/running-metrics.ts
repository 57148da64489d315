import { type Bus, connectBus } from '@joblisting/bus';
import { applyCounts, findExistingJobs, type MetricsEvent, recordEvents } from '@joblisting/contracts';
import {
  createLog,
  endpoint,
  type Mongo,
  ownCall,
  type RunningService,
  startService,
} from '@joblisting/service-kit';
import { connectMongo } from '@joblisting/service-kit/mongo';
import { databasePrefix, dropDatabase, startNats, testMongoUri, type TestNats } from '@joblisting/testing';
import { metricsService } from '../src/index.ts';
import type { Counts } from '../src/domain/tally.ts';
import { counterModel } from '../src/models/counter.ts';

const log = createLog('test', 'silent');
const principal = { consumerId: 1, scopes: ['metrics:write' as const], userId: null, companyIds: [] };

/** What stands in for `jobs`: the jobs that exist, and the counts that were raised. */
export interface JobsStandIn {
  readonly existing: Set<number>;
  readonly counts: Map<number, Counts>;
  /** What a look-up of existing jobs fails with, if anything. */
  lookUpError: Error | undefined;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

function jobsStandIn(bus: Bus): JobsStandIn {
  const existing = new Set<number>();
  const counts = new Map<number, Counts>();
  const find = endpoint(
    findExistingJobs,
    async ({ body }) => {
      if (jobs.lookUpError) throw jobs.lookUpError;
      return { data: { ids: body.ids.filter((id) => existing.has(id)) } };
    },
    log,
  );
  const apply = endpoint(
    applyCounts,
    ({ body }) => {
      const [known, unknown] = [[], []] as [typeof body.counts, typeof body.counts];
      for (const totals of body.counts) (existing.has(totals.jobId) ? known : unknown).push(totals);
      for (const { jobId, view, application, clickThrough } of known) {
        const before = counts.get(jobId) ?? { view: 0, application: 0, clickThrough: 0 };
        counts.set(jobId, {
          view: Math.max(before.view, view),
          application: Math.max(before.application, application),
          clickThrough: Math.max(before.clickThrough, clickThrough),
        });
      }
      return Promise.resolve({ data: { unknown: unknown.map(({ jobId }) => jobId) } });
    },
    log,
  );
  let stop: () => Promise<void> = () => Promise.resolve();
  const jobs: JobsStandIn = {
    existing,
    counts,
    lookUpError: undefined,
    start: async () => {
      const options = { name: 'jobs', version: '1.0.0', description: 'stand-in', maxInFlight: 100 };
      ({ stop } = await bus.serve([find, apply], { ...options, onError: () => undefined }));
    },
    stop: () => stop(),
  };
  return jobs;
}

export interface RunningMetrics {
  readonly nats: TestNats;
  readonly bus: Bus;
  readonly mongo: Mongo;
  readonly jobs: JobsStandIn;
  /** One more replica on the same database. */
  readonly addReplica: (settings?: NodeJS.ProcessEnv) => Promise<RunningService>;
  readonly stop: () => Promise<void>;
}

/** The bus, a database and `jobs` for a suite, without a replica of the service yet. */
export async function runMetrics(): Promise<RunningMetrics> {
  const nats = await startNats();
  const bus = await connectBus({ url: nats.url, name: 'test' });
  const database = `${databasePrefix()}metrics`;
  const mongo = await connectMongo(testMongoUri(), database);
  const env = {
    NATS_URL: nats.url,
    MONGODB_URI: testMongoUri(),
    MONGODB_DATABASE: database,
    LOG_LEVEL: 'silent',
  };
  const jobs = jobsStandIn(bus);
  await jobs.start();
  const replicas: RunningService[] = [];
  return {
    nats,
    bus,
    mongo,
    jobs,
    addReplica: async (settings) => {
      const replica = await startService(metricsService, { env: { ...env, ...settings } });
      replicas.push(replica);
      return replica;
    },
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await mongo.close();
      await bus.close();
      await nats.stop();
      await dropDatabase(mongo.name);
    },
  };
}

/** What is counted of each job. */
export async function countedOf(mongo: Mongo): Promise<Map<number, Counts>> {
  const totals = await counterModel(mongo).find().lean();
  return new Map(
    totals.map(({ _id, view, application, clickThrough }) => [_id, { view, application, clickThrough }]),
  );
}

/** The context of a caller whose key carries `metrics:write`. */
export const allowed = (limitMs = 10_000) => ({ ...ownCall(limitMs), principal });

/** Sends a batch and resolves to its receipt. */
export const send = async (bus: Bus, events: readonly unknown[]) =>
  (await bus.request(recordEvents, { body: { events }, context: allowed() })).data;

export const view = (id: string, jobId = 1): MetricsEvent => ({ id, jobId, type: 'view' });
