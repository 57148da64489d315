import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@joblisting/contracts/permissions';
import { freePort } from '../free-port.ts';
import { inParallel } from '../wait-for.ts';
import { type ServiceProcess, startProcess } from './process.ts';
import { busCredentials } from './users.ts';

export const SEARCH_URL = 'https://search.example.com';

/** The servers that the services of a system share. */
export interface SharedServers {
  readonly natsUrl: string;
  readonly mongodbUri: string;
  readonly databasePrefix: string;
}

export interface ServiceConnections extends SharedServers {
  /** Origin of the gateway. */
  readonly origin: string;
  readonly clockOffsetMs?: number | undefined;
}

/** The settings of one service's process. */
export const serviceEnvironment = (name: ServiceName, at: ServiceConnections): Record<string, string> => ({
  NATS_URL: at.natsUrl,
  ...busCredentials(name),
  MONGODB_URI: at.mongodbUri,
  MONGODB_DATABASE: at.databasePrefix + name,
  PUBLIC_URL: at.origin,
  SEARCH_URL,
  CLOCK_OFFSET_MS: String(at.clockOffsetMs ?? 0),
  ...(name === 'gateway' && { PORT: new URL(at.origin).port }),
  ...(name === 'site' && { PORT: '0', API_URL: at.origin }),
});

export interface FleetOptions {
  /** How many processes of a service run; 1 by default. */
  readonly replicas?: Readonly<Partial<Record<ServiceName, number>>> | undefined;
  /** More settings for every service. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** How many processes start at the same time; all by default. */
  readonly atOnce?: number | undefined;
  /** Runs `dist`, as in production, instead of the sources. */
  readonly isBuilt?: boolean | undefined;
  /** Creates a listener for the log of one process. */
  readonly listen?: ((name: ServiceName) => (text: string) => void) | undefined;
  /** Instead of `listen`: the services log to files there. */
  readonly logDirectory?: string | undefined;
}

/** What differs from the fleet's options for some processes. */
export interface Change {
  readonly replicas?: number;
  readonly clockOffsetMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The services of a system as processes. */
export interface Fleet {
  /** Where the gateways listen. */
  readonly origins: readonly string[];
  readonly replicas: (name: ServiceName) => readonly ServiceProcess[];
  readonly all: () => readonly ServiceProcess[];
  /** Milliseconds per process of the last start. */
  readonly launchMs: () => number;
  readonly start: (names?: readonly ServiceName[], change?: Change) => Promise<void>;
  /** Sends SIGTERM, also to frozen processes. */
  readonly stop: (names?: readonly ServiceName[]) => Promise<void>;
  /** Stops services and starts the same number of processes. */
  readonly replace: (names: readonly ServiceName[], change: Change) => Promise<void>;
}

const TRIES = 3;

/** Starts a service again, as a supervisor does, if it ends because its database is slow. */
export async function persistently<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === TRIES) throw error;
    }
  }
}

/** Prepares a fleet on these servers. `start` launches its services. */
export async function createFleet(servers: SharedServers, options: FleetOptions = {}): Promise<Fleet> {
  const count = (name: ServiceName): number => options.replicas?.[name] ?? 1;
  const ports = await Promise.all(Array.from({ length: count('gateway') }, freePort));
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  const running = new Map<ServiceName, ServiceProcess[]>();
  const replicas = (name: ServiceName): readonly ServiceProcess[] => running.get(name) ?? [];
  let launchMs = 0;

  const launchOne = async (name: ServiceName, index: number, change: Change): Promise<void> => {
    const origin = origins[name === 'gateway' ? index : 0] as string;
    const { clockOffsetMs } = change;
    const env = {
      ...serviceEnvironment(name, { ...servers, origin, clockOffsetMs }),
      ...(name === 'site' && { PORT: String(await freePort()) }),
      ...options.env,
      ...change.env,
    };
    const log =
      options.logDirectory === undefined ? options.listen?.(name) : join(options.logDirectory, `${name}.log`);
    const started = await persistently(() => startProcess(name, env, { log, isBuilt: options.isBuilt }));
    running.set(name, [...replicas(name), started]);
  };
  const start = async (
    names: readonly ServiceName[] = serviceNames,
    change: Change = {},
    countOf: (name: ServiceName) => number = (name) => change.replicas ?? count(name),
  ): Promise<void> => {
    const launches = names.flatMap((name) =>
      Array.from({ length: countOf(name) }, (_, index) => () => launchOne(name, index, change)),
    );
    const since = performance.now();
    const failures: unknown[] = [];
    await inParallel(launches, options.atOnce ?? launches.length, (launchIt) =>
      launchIt().catch((error: unknown) => void failures.push(error)),
    );
    if (launches.length > 0) launchMs = (performance.now() - since) / launches.length;
    if (failures.length > 0) throw failures[0];
  };
  const stop = async (names: readonly ServiceName[] = serviceNames): Promise<void> => {
    const leaving = names.flatMap(replicas);
    for (const name of names) running.delete(name);
    for (const service of leaving) service.kill('SIGCONT');
    await Promise.all(leaving.map((service) => service.stop()));
  };

  return {
    origins,
    replicas,
    all: () => [...running.values()].flat(),
    launchMs: () => launchMs,
    start: (names, change) => start(names, change),
    stop,
    replace: async (names, change) => {
      const before = new Map(names.map((name) => [name, replicas(name).length]));
      await stop(names);
      await start(names, change, (name) => change.replicas ?? before.get(name) ?? 1);
    },
  };
}
