import { connectBus, type Bus } from '@joblisting/bus';
import type { RunningService } from '@joblisting/service-kit';
import { ownCall, startService } from '@joblisting/service-kit';
import { databasePrefix, startNats, testMongoUri } from '@joblisting/testing';
import { shortlinkService } from '../src/index.ts';

export interface RunningShortlink {
  readonly bus: Bus;
  /** One more replica on the same database. */
  readonly addReplica: () => Promise<RunningService>;
  readonly stop: () => Promise<void>;
}

/** The service on real servers, and a caller. */
export async function runShortlink(): Promise<RunningShortlink> {
  const nats = await startNats();
  const env = {
    NATS_URL: nats.url,
    MONGODB_URI: testMongoUri(),
    MONGODB_DATABASE: `${databasePrefix()}shortlink`,
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'https://jobs.example.com',
  };
  const replicas: RunningService[] = [];
  const addReplica = async () => {
    const replica = await startService(shortlinkService, { env });
    replicas.push(replica);
    return replica;
  };
  await addReplica();
  const bus = await connectBus({ url: nats.url, name: 'test' });
  return {
    bus,
    addReplica,
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await bus.close();
      await nats.stop();
    },
  };
}

export const call = <B>(body: B) => ({ body, context: ownCall(5000) });
