import {
  serviceEnvironment,
  type ServiceName,
  serviceNames,
  type ServiceProcess,
  startProcess,
} from '@joblisting/e2e/harness';
import { freePort } from '@joblisting/testing';
import { inParallel } from '../load/workers.ts';
import { errorLines } from './error-lines.ts';
import type { Shared } from './servers.ts';

export interface FleetOptions {
  /** How many processes of a service run; 1 where nothing is said. */
  readonly replicas?: Partial<Record<ServiceName, number>>;
  readonly env?: Readonly<Record<string, string>>;
  /** How many are started side by side; all where nothing is said. */
  readonly atOnce?: number;
}

/** How a service goes on after it was stopped. */
export interface Change {
  /** As many as before where nothing is said. */
  readonly replicas?: number;
  /** How far its clock is moved. */
  readonly clockOffsetMs?: number;
}

/** Every service, as processes of their own. */
export interface Fleet {
  /** Where the gateways listen. */
  readonly origins: readonly string[];
  readonly replicas: (name: ServiceName) => readonly ServiceProcess[];
  /** Those that there are now. */
  readonly all: () => readonly ServiceProcess[];
  /** What each process took, in milliseconds, when last some were started side by side. */
  readonly launchMs: () => number;
  /** Stops every process of these services and starts them anew; not for the gateway, whose addresses are known. */
  readonly replace: (names: readonly Exclude<ServiceName, 'gateway'>[], change: Change) => Promise<void>;
  /** SIGTERM to all, frozen ones too. */
  readonly stop: () => Promise<void>;
}

const TRIES = 3;
const TOLD_CHARACTERS = 2000;

/** As a supervisor does: a service whose database is too slow to answer ends, and is started again. */
export async function persistently<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === TRIES) throw error;
    }
  }
}

/** @param tell gets each error that a service logs, as it comes */
export async function startFleet(
  servers: Shared,
  options: FleetOptions,
  tell: (line: string) => void,
): Promise<Fleet> {
  const count = (name: ServiceName): number => options.replicas?.[name] ?? 1;
  const ports = await Promise.all(Array.from({ length: count('gateway') }, freePort));
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  const fleet = new Map<ServiceName, ServiceProcess[]>(serviceNames.map((name) => [name, []]));
  const replicas = (name: ServiceName): readonly ServiceProcess[] => fleet.get(name) ?? [];
  const launch = async (name: ServiceName, index: number, clockOffsetMs?: number): Promise<void> => {
    const surroundings = {
      natsUrl: servers.nats.url,
      mongodbUri: servers.mongod.uri,
      databasePrefix: servers.databasePrefix,
      origin: origins[name === 'gateway' ? index : 0] as string,
      clockOffsetMs,
    };
    const env = {
      ...serviceEnvironment(name, surroundings),
      NODE_COMPILE_CACHE: servers.compileCache,
      ...options.env,
    };
    const onLog = errorLines((line) =>
      tell(`an error in the log of ${name}: ${line.slice(0, TOLD_CHARACTERS)}`),
    );
    fleet.get(name)?.push(await persistently(() => startProcess(name, env, onLog)));
  };
  let launchMs = 0;
  const launchAll = async (
    names: readonly ServiceName[],
    change: (name: ServiceName) => Required<Change>,
  ): Promise<void> => {
    const launches = names.flatMap((name) => {
      const { replicas: wanted, clockOffsetMs } = change(name);
      return Array.from({ length: wanted }, (_, index) => () => launch(name, index, clockOffsetMs));
    });
    const since = performance.now();
    const failures: unknown[] = [];
    await inParallel(launches, options.atOnce ?? launches.length, (start) =>
      start().catch((error: unknown) => void failures.push(error)),
    );
    if (launches.length > 0) launchMs = (performance.now() - since) / launches.length;
    if (failures.length > 0) throw failures[0];
  };
  const all = (): ServiceProcess[] => [...fleet.values()].flat();
  const stopAll = async (services: readonly ServiceProcess[]): Promise<void> => {
    for (const service of services) service.kill('SIGCONT');
    await Promise.all(services.map((service) => service.stop()));
  };

  try {
    await launchAll(serviceNames, (name) => ({ replicas: count(name), clockOffsetMs: 0 }));
  } catch (error) {
    await stopAll(all());
    throw error;
  }
  return {
    origins,
    replicas,
    all,
    launchMs: () => launchMs,
    replace: async (names, change) => {
      const before = new Map<ServiceName, number>(names.map((name) => [name, replicas(name).length]));
      await stopAll(names.flatMap(replicas));
      for (const name of names) fleet.set(name, []);
      await launchAll(names, (name) => ({ replicas: before.get(name) ?? 1, clockOffsetMs: 0, ...change }));
    },
    stop: () => stopAll(all()),
  };
}
