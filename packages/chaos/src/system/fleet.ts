import {
  freePort,
  serviceEnvironment,
  type ServiceName,
  serviceNames,
  type ServiceProcess,
  startProcess,
} from '@joblisting/e2e/harness';
import type { Servers } from './servers.ts';

export interface FleetOptions {
  /** How many processes of a service run; 1 where nothing is said. */
  readonly replicas?: Partial<Record<ServiceName, number>>;
  readonly clockOffsetMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Every service, as processes of their own. */
export interface Fleet {
  /** Where the gateways listen. */
  readonly origins: readonly string[];
  readonly replicas: (name: ServiceName) => readonly ServiceProcess[];
  readonly all: readonly ServiceProcess[];
  /** SIGTERM to all, frozen ones too. */
  readonly stop: () => Promise<void>;
}

export async function startFleet(servers: Servers, options: FleetOptions = {}): Promise<Fleet> {
  const count = (name: ServiceName): number => options.replicas?.[name] ?? 1;
  const ports = await Promise.all(Array.from({ length: count('gateway') }, freePort));
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  const fleet = new Map<ServiceName, ServiceProcess[]>(serviceNames.map((name) => [name, []]));
  const launch = async (name: ServiceName, index: number): Promise<void> => {
    const surroundings = {
      natsUrl: servers.nats.url,
      mongodbUri: servers.mongod.uri,
      databasePrefix: servers.databasePrefix,
      origin: origins[name === 'gateway' ? index : 0] as string,
      clockOffsetMs: options.clockOffsetMs,
    };
    const env = { ...serviceEnvironment(name, surroundings), ...options.env };
    fleet.get(name)?.push(await startProcess(name, env));
  };
  const all = (): ServiceProcess[] => [...fleet.values()].flat();
  const stop = async (): Promise<void> => {
    for (const service of all()) service.kill('SIGCONT');
    await Promise.all(all().map((service) => service.stop()));
  };
  const launches = serviceNames.flatMap((name) =>
    Array.from({ length: count(name) }, (_, index) => launch(name, index)),
  );
  try {
    await Promise.all(launches);
  } catch (error) {
    await Promise.allSettled(launches);
    await stop();
    throw error;
  }
  return { origins, replicas: (name) => fleet.get(name) ?? [], all: all(), stop };
}
