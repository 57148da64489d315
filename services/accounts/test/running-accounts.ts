import { type Bus, connectBus } from '@joblisting/bus';
import {
  type BodyOf,
  createCompany,
  hashSecret,
  issueConsumerKey,
  issueUserKey,
  resolveGrants,
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
} from '@joblisting/testing';
import { accountsService } from '../src/index.ts';

export interface Running {
  readonly bus: Bus;
  readonly mongo: Mongo;
  readonly clock: TestClock;
  /** One more replica on the same database. */
  readonly addReplica: () => Promise<RunningService>;
  readonly stop: () => Promise<void>;
}

/** The service on real servers, and a caller. */
export async function runAccounts(settings: Record<string, string> = {}): Promise<Running> {
  const nats = await startNats();
  const clock = testClock('2026-03-01T12:00:00Z');
  const database = `${databasePrefix()}accounts`;
  const env = {
    NATS_URL: nats.url,
    MONGODB_URI: testMongoUri(),
    MONGODB_DATABASE: database,
    LOG_LEVEL: 'silent',
    LAST_USED_EVERY_MS: '50',
    ...settings,
  };
  const bus = await connectBus({ url: nats.url, name: 'test' });
  const replicas: RunningService[] = [];
  const addReplica = async () => {
    const replica = await startService(accountsService, { env, clock });
    replicas.push(replica);
    return replica;
  };
  await addReplica();
  const mongo = await connectMongo(testMongoUri(), database);
  return {
    bus,
    mongo,
    clock,
    addReplica,
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await bus.close();
      await nats.stop();
      await mongo.close();
      await dropDatabase(mongo.name);
    },
  };
}

export const context = () => ownCall(5000);

let lastName = 0;
/** A name that no test has used. */
export const newName = () => `Company ${process.pid}-${++lastName}`;

/** What tests ask of the service again and again. */
export const client = (bus: Bus) => ({
  company: async (name = newName()) =>
    (await bus.request(createCompany, { body: { name }, context: context() })).data,
  consumerKey: async (more: Partial<BodyOf<typeof issueConsumerKey>> = {}) => {
    const body = { name: 'Integration', scopes: ['jobs:read'], ...more };
    return (await bus.request(issueConsumerKey, { body, context: context() })).data;
  },
  userKey: async (companyIds: readonly number[], more: Partial<BodyOf<typeof issueUserKey>> = {}) => {
    const body = { name: 'Recruiter', companyIds, ...more };
    return (await bus.request(issueUserKey, { body, context: context() })).data;
  },
  resolve: async (consumer: string, user: string | null = null) => {
    const body = { consumer: hashSecret(consumer), user: user === null ? null : hashSecret(user) };
    return (await bus.request(resolveGrants, { body, context: context() })).data;
  },
});
