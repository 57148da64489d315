import { type Bus, connectBus } from '@joblisting/bus';
import {
  type Log,
  type Mongo,
  type RunningService,
  type ServiceDefinition,
  startService,
} from '@joblisting/service-kit';
import { type TestClock, testClock } from '../clock.ts';
import { databasePrefix, dropDatabase, testMongoUri } from '../servers/mongo.ts';
import { startNats } from '../servers/nats.ts';
import type { TestNats } from '../servers/test-nats.ts';
import { serveStandIns, type ServedStandIns, type StandIn } from './stand-in.ts';

type Settings = Readonly<Record<string, string>>;

export interface RunServiceOptions {
  /** Operations of other services that it calls. */
  readonly standIns?: readonly Pick<StandIn, 'operation' | 'endpoint'>[];
  readonly env?: Settings;
  readonly clock?: TestClock;
  readonly log?: Log;
  /** How many replicas start at once; 1 by default. */
  readonly replicas?: number;
}

/** One service in this process, on real servers. */
export interface RunningTestService {
  readonly nats: TestNats;
  /** Calls the service, as another service does. */
  readonly bus: Bus;
  readonly clock: TestClock;
  /** Its database; only a service that owns one has it. */
  readonly mongo: Mongo;
  readonly replicas: readonly RunningService[];
  /** Starts one more replica on the same database, with these settings on top of the others. */
  readonly addReplica: (env?: Settings) => Promise<RunningService>;
  readonly stopReplicas: () => Promise<void>;
  /** The stand-ins of a service, to leave the bus and rejoin it. */
  readonly standInsOf: (owner: string) => ServedStandIns;
  readonly stop: () => Promise<void>;
}

const NOW = '2026-03-10T15:15:00Z';

/** Suites of services without a database do not load its driver, which is a third of all modules. */
async function connect(database: string): Promise<Mongo> {
  const { connectMongo } = await import('@joblisting/service-kit/mongo');
  return connectMongo(testMongoUri(), database);
}

/** Starts a service with a clock that tests move, and stand-ins for the services that it calls. */
export async function runService<C>(
  definition: ServiceDefinition<C>,
  options: RunServiceOptions = {},
): Promise<RunningTestService> {
  const { standIns = [], clock = testClock(NOW), log } = options;
  const nats = await startNats();
  const closers: (() => Promise<unknown>)[] = [() => nats.stop()];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    const owners = new Map<string, ServedStandIns>();
    for (const [owner, own] of Map.groupBy(standIns, ({ operation }) => operation.owner)) {
      const served = await serveStandIns(nats.url, owner, own);
      owners.set(owner, served);
      closers.push(() => served.close());
    }
    const bus = await connectBus({ url: nats.url, name: 'test' });
    closers.push(() => bus.close());

    const database = `${databasePrefix()}${definition.name}`;
    const mongo = definition.mongo ? await connect(database) : undefined;
    if (mongo)
      closers.push(
        () => dropDatabase(database),
        () => mongo.close(),
      );

    const env = {
      NATS_URL: nats.url,
      MONGODB_URI: testMongoUri(),
      MONGODB_DATABASE: database,
      // A caller learns of an unexpected error only that there was one; its cause is in the log.
      LOG_LEVEL: 'error',
      ...options.env,
    };
    const replicas: RunningService[] = [];
    const addReplica = async (own: Settings = {}): Promise<RunningService> => {
      const replica = await startService(definition, { env: { ...env, ...own }, clock, ...(log && { log }) });
      replicas.push(replica);
      return replica;
    };
    const stopReplicas = async (): Promise<void> => {
      await Promise.all(replicas.splice(0).map((replica) => replica.stop()));
    };
    closers.push(stopReplicas);
    for (let count = options.replicas ?? 1; count > 0; count--) await addReplica();
    return {
      nats,
      bus,
      clock,
      get mongo() {
        if (!mongo) throw new Error(`${definition.name} owns no database`);
        return mongo;
      },
      replicas,
      addReplica,
      stopReplicas,
      standInsOf: (owner) => {
        const served = owners.get(owner);
        if (!served) throw new Error(`no stand-in of ${owner}`);
        return served;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
