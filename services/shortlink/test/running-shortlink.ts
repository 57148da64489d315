import { type Bus, connectBus } from '@joblisting/bus';
import { createLink, removeLinks, resolveLink } from '@joblisting/contracts';
import { type Log, type Mongo, ownCall, type RunningService, startService } from '@joblisting/service-kit';
import { connectMongo } from '@joblisting/service-kit/mongo';
import {
  type BitlyServer,
  databasePrefix,
  dropDatabase,
  startBitlyServer,
  startNats,
  type TestClock,
  testClock,
  testMongoUri,
} from '@joblisting/testing';
import { type LinkDocument, linkModel } from '../src/models/link.ts';
import { shortlinkServiceAt } from '../src/service.ts';

export interface ShortlinkOptions {
  readonly env?: Record<string, string>;
  readonly log?: Log;
  readonly breakMs?: number;
}

export interface RunningShortlink {
  readonly bus: Bus;
  readonly mongo: Mongo;
  readonly clock: TestClock;
  /** One more replica on the same database, with other settings where they are given. */
  readonly addReplica: (env?: Record<string, string>) => Promise<RunningService>;
  /** Stops every replica. */
  readonly stopReplicas: () => Promise<void>;
  /** Requests the link of a job; there is plenty of time, unless said otherwise. */
  readonly createLink: (jobId: number, limitMs?: number) => Promise<{ url: string; final: boolean }>;
  /** Requests the links of jobs, one after another. */
  readonly createLinks: (count: number) => Promise<{ url: string; final: boolean }[]>;
  readonly removeLinks: (...jobIds: number[]) => Promise<number>;
  readonly resolve: (code: string) => Promise<string>;
  /** The link of a job as it is stored. */
  readonly stored: (jobId: number) => Promise<LinkDocument | null>;
  readonly stop: () => Promise<void>;
}

export interface RunningWithBitly extends RunningShortlink {
  readonly bitly: BitlyServer;
  /** How many calls bitly has got of each kind. */
  readonly calls: () => { made: number; removed: number };
}

const NOON = '2026-03-01T12:00:00Z';

/** The service on real servers at noon of 1 March 2026, and a caller. */
export async function runShortlink({
  env: more = {},
  log,
  breakMs = 100,
}: ShortlinkOptions = {}): Promise<RunningShortlink> {
  const nats = await startNats();
  const database = `${databasePrefix()}shortlink`;
  const clock = testClock(NOON);
  const env = {
    NATS_URL: nats.url,
    MONGODB_URI: testMongoUri(),
    MONGODB_DATABASE: database,
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'https://jobs.example.com',
    ...more,
  };
  const service = shortlinkServiceAt({ sweepEveryMs: 50, removeEveryMs: 50, breakMs });
  const replicas: RunningService[] = [];
  const addReplica = async (own: Record<string, string> = {}) => {
    const replica = await startService(service, { env: { ...env, ...own }, clock, ...(log && { log }) });
    replicas.push(replica);
    return replica;
  };
  const stopReplicas = async () => {
    await Promise.all(replicas.splice(0).map((replica) => replica.stop()));
  };
  await addReplica();
  const bus = await connectBus({ url: nats.url, name: 'test' });
  const mongo = await connectMongo(testMongoUri(), database);
  const createOne = async (jobId: number, limitMs = 5000) =>
    (await bus.request(createLink, { body: { jobId }, context: ownCall(limitMs) })).data;
  return {
    bus,
    mongo,
    clock,
    addReplica,
    stopReplicas,
    createLink: createOne,
    createLinks: async (count) => {
      const links = [];
      for (let jobId = 1; jobId <= count; jobId++) links.push(await createOne(jobId));
      return links;
    },
    removeLinks: async (...jobIds) =>
      (await bus.request(removeLinks, { body: { jobIds }, context: ownCall(5000) })).data.removed,
    resolve: async (code) =>
      (await bus.request(resolveLink, { params: { code }, context: ownCall(5000) })).data.location,
    stored: (jobId) => linkModel(mongo).findOne({ jobId }).lean(),
    stop: async () => {
      await stopReplicas();
      await mongo.close();
      await bus.close();
      await nats.stop();
      await dropDatabase(mongo.name);
    },
  };
}

/** The service with a bitly of its own. */
export async function runWithBitly(
  settings: Record<string, string> = {},
  options: ShortlinkOptions = {},
): Promise<RunningWithBitly> {
  const bitly = await startBitlyServer();
  const env = {
    SHORTLINK_PROVIDER: 'bitly',
    BITLY_URL: bitly.url,
    BITLY_TOKEN: bitly.token,
    ...settings,
  };
  const shortlink = await runShortlink({ env, ...options });
  const count = (method: string) => bitly.calls.filter((call) => call.method === method).length;
  return {
    ...shortlink,
    bitly,
    calls: () => ({ made: count('POST'), removed: count('DELETE') }),
    stop: async () => {
      await shortlink.stop();
      await bitly.stop();
    },
  };
}

/** What a job gets that has no short link yet. */
export const fallback = (jobId: number) => ({
  url: `https://search.example.com/Share/Job${jobId}`,
  final: false,
});

/** What bitly answers where it does not do what it is asked for. */
export const refusal = (status: number, message: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ message, resource: 'bitlinks', description: 'No.' }),
});

/** A failed call may have made the link: bitly is asked for it again only after so long. */
export const AFTER_FAILURE_MS = 5000;
