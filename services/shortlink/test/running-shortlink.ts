import { connectBus, type Bus } from '@joblisting/bus';
import { createLink, removeLinks } from '@joblisting/contracts';
import {
  type Clock,
  connectMongo,
  type Log,
  type Mongo,
  ownCall,
  type RunningService,
  startService,
} from '@joblisting/service-kit';
import { databasePrefix, dropDatabase, startNats, testMongoUri } from '@joblisting/testing';
import { shortlinkService } from '../src/index.ts';

export interface ShortlinkOptions {
  readonly env?: Record<string, string>;
  readonly clock?: Clock;
  readonly log?: Log;
}

export interface RunningShortlink {
  readonly bus: Bus;
  readonly mongo: Mongo;
  /** One more replica on the same database, with other settings where they are given. */
  readonly addReplica: (env?: Record<string, string>) => Promise<RunningService>;
  /** Stops every replica. */
  readonly stopReplicas: () => Promise<void>;
  /** The link of a job, asked for by somebody who has time, unless said otherwise. */
  readonly linkOf: (jobId: number, limitMs?: number) => Promise<{ url: string; final: boolean }>;
  readonly remove: (jobIds: readonly number[]) => Promise<number>;
  readonly stop: () => Promise<void>;
}

export const call = <B>(body: B) => ({ body, context: ownCall(5000) });

/** The service on real servers, and a caller. */
export async function runShortlink(options: ShortlinkOptions = {}): Promise<RunningShortlink> {
  const { env: more, ...others } = options;
  const nats = await startNats();
  const database = `${databasePrefix()}shortlink`;
  const env = {
    NATS_URL: nats.url,
    MONGODB_URI: testMongoUri(),
    MONGODB_DATABASE: database,
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'https://jobs.example.com',
    ...more,
  };
  const replicas: RunningService[] = [];
  const addReplica = async (own: Record<string, string> = {}) => {
    const replica = await startService(shortlinkService, { env: { ...env, ...own }, ...others });
    replicas.push(replica);
    return replica;
  };
  const stopReplicas = async () => {
    await Promise.all(replicas.splice(0).map((replica) => replica.stop()));
  };
  await addReplica();
  const bus = await connectBus({ url: nats.url, name: 'test' });
  const mongo = await connectMongo(testMongoUri(), database);
  return {
    bus,
    mongo,
    addReplica,
    stopReplicas,
    linkOf: async (jobId, limitMs = 5000) =>
      (await bus.request(createLink, { body: { jobId }, context: ownCall(limitMs) })).data,
    remove: async (jobIds) => (await bus.request(removeLinks, call({ jobIds }))).data.removed,
    stop: async () => {
      await stopReplicas();
      await mongo.close();
      await bus.close();
      await nats.stop();
      await dropDatabase(mongo.name);
    },
  };
}
