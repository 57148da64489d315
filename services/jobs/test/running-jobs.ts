import { type Bus, type CallContext, connectBus } from '@joblisting/bus';
import {
  createJob,
  deleteJob,
  getJob,
  type Job,
  listJobs,
  type ParamsOf,
  putJob,
  ServiceError,
  updateJob,
} from '@joblisting/contracts';
import { type Mongo, ownCall, type RunningService, startService } from '@joblisting/service-kit';
import { connectMongo } from '@joblisting/service-kit/mongo';
import {
  databasePrefix,
  dropDatabase,
  startNats,
  testClock,
  type TestClock,
  testMongoUri,
  type TestNats,
} from '@joblisting/testing';
import { jobsService } from '../src/index.ts';
import { type Peers, startPeers } from './peers.ts';

/** A quarter past three in the afternoon of 10 March 2026, UTC, unless a test moves it. */
export const START = '2026-03-10T15:15:00Z';

/** The companies that callers in tests are granted, unless said otherwise. */
export const GRANTED = [1, 2];

export const newJob = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  company: { id: 1 },
  title: 'Welder',
  publishDate: '2026-03-01',
  description: 'Weld.',
  applicantRoutingType: { id: 1 },
  ...more,
});

/** The context of a caller with these companies. */
export const caller = (companyIds: readonly number[] = GRANTED, limitMs = 5000): CallContext => ({
  ...ownCall(limitMs),
  principal: { consumerId: 1, userId: 1, scopes: ['jobs:read', 'jobs:write'], companyIds: [...companyIds] },
});

export type RunningJobs = Awaited<ReturnType<typeof runJobs>>;

/** The service on real servers with a clock of its own, its peers stood in, and a caller. */
export async function runJobs({ mongodbUri = testMongoUri() }: { readonly mongodbUri?: string } = {}) {
  const nats: TestNats = await startNats();
  const database = `${databasePrefix()}jobs`;
  const clock: TestClock = testClock(START);
  const env = {
    NATS_URL: nats.url,
    MONGODB_URI: mongodbUri,
    MONGODB_DATABASE: database,
    LOG_LEVEL: 'silent',
    // Races are tried with a hundred requests at once.
    MAX_IN_FLIGHT: '256',
  };
  const peers: Peers = await startPeers(nats.url);
  const replicas: RunningService[] = [];
  const addReplica = async () => void replicas.push(await startService(jobsService, { env, clock }));
  await addReplica();
  const mongo: Mongo = await connectMongo(testMongoUri(), database);
  const bus: Bus = await connectBus({ url: nats.url, name: 'test' });

  return {
    nats,
    clock,
    peers,
    mongo,
    bus,
    addReplica,
    stopFirstReplica: async () => replicas.shift()?.stop(),
    create: (body: unknown, context = caller()) => bus.request(createJob, { body, context }),
    get: (id: number, context = caller()) => bus.request(getJob, { params: { id }, context }),
    update: (
      id: number,
      body: unknown,
      context = caller(),
      ifMatch?: ParamsOf<typeof updateJob>['ifMatch'],
    ) => bus.request(updateJob, { params: { id, ...(ifMatch && { ifMatch }) }, body, context }),
    put: (body: unknown, context = caller(), ifMatch?: ParamsOf<typeof putJob>['ifMatch']) =>
      bus.request(putJob, { params: ifMatch ? { ifMatch } : {}, body, context }),
    remove: (id: number, context = caller(), ifMatch?: ParamsOf<typeof deleteJob>['ifMatch']) =>
      bus.request(deleteJob, { params: { id, ...(ifMatch && { ifMatch }) }, context }),
    list: (companyId: number, more: Partial<ParamsOf<typeof listJobs>> = {}, context = caller()) =>
      bus.request(listJobs, { params: { 'company.id': companyId, ...more }, context }),
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await peers.stop();
      await bus.close();
      await mongo.close();
      await nats.stop();
      await dropDatabase(mongo.name);
    },
  };
}

/** The refusal of a call that must be refused. */
export async function refusalOf(call: Promise<unknown>): Promise<ServiceError> {
  const answer = await call.catch((error: unknown) => error);
  if (answer instanceof ServiceError) return answer;
  throw new Error('the call was not refused', { cause: answer });
}

/** Where a refusal found something, and what: `[pointer, code]`. */
export const faultsOf = ({ errors }: ServiceError) =>
  errors.map(({ pointer, parameter, header, code }) => [pointer ?? parameter ?? header, code]);

/** What a client could post back: a job as it was read. */
export const readBack = (job: Job): Omit<Job, 'id' | 'referenceId'> => {
  const { id: _id, referenceId: _referenceId, ...rest } = job;
  return rest;
};
