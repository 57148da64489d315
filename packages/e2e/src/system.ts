import { type ServiceName, serviceNames } from '@joblisting/contracts/permissions';
import { databasePrefix, freePort, testMongoUri, type TestNats } from '@joblisting/testing';
import { type ServiceProcess, startProcess } from './processes.ts';
import { busCredentials, startGuardedNats } from './users.ts';

export { type ServiceName, serviceNames };

export const SEARCH_URL = 'https://search.example.com';

/** Where a running system can be reached: what a test file needs to know of it. */
export interface SystemAddress {
  /** Origin of the gateway, without `/v1.0`. */
  readonly origin: string;
  readonly natsUrl: string;
}

export interface System extends SystemAddress {
  readonly nats: TestNats;
  readonly services: ReadonlyMap<ServiceName, ServiceProcess>;
  /** Rejects where a service was denied something on the bus, once all is stopped. */
  readonly stop: () => Promise<void>;
}

export interface Surroundings {
  readonly natsUrl: string;
  readonly mongodbUri: string;
  readonly databasePrefix: string;
  /** Where the gateway listens and is reached. */
  readonly origin: string;
  readonly clockOffsetMs?: number | undefined;
}

/** The environment of one service's process. */
export function serviceEnvironment(name: ServiceName, at: Surroundings): Record<string, string> {
  return {
    NATS_URL: at.natsUrl,
    ...busCredentials(name),
    MONGODB_URI: at.mongodbUri,
    MONGODB_DATABASE: at.databasePrefix + name,
    PUBLIC_URL: at.origin,
    SEARCH_URL,
    CLOCK_OFFSET_MS: String(at.clockOffsetMs ?? 0),
    ...(name === 'gateway' && { PORT: new URL(at.origin).port }),
  };
}

export interface SystemOptions {
  readonly clockOffsetMs?: number;
  readonly leaveOut?: readonly ServiceName[];
  /** Settings of every service besides those it cannot do without. */
  readonly env?: Record<string, string>;
  /** Gets all that the services log, as it comes. */
  readonly onLog?: (text: string) => void;
}

/** Starts every service as its own process, as its own user of the bus, with databases of their own. */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const nats = await startGuardedNats();
  const prefix = databasePrefix();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const services = new Map<ServiceName, ServiceProcess>();
  const stop = async () => {
    await Promise.all([...services.values()].map((service) => service.stop()));
    await nats.stop();
    if (denials.length > 0) throw new Error(`Contracts leave out what services do:\n${denials.join('\n')}`);
  };
  /** What is denied in the background shows nowhere else. */
  const denials: string[] = [];
  const onLog = (text: string) => {
    denials.push(...text.split('\n').filter((line) => line.includes('the bus denies')));
    options.onLog?.(text);
  };
  try {
    await Promise.all(
      serviceNames
        .filter((name) => !options.leaveOut?.includes(name))
        .map(async (name) => {
          const env = serviceEnvironment(name, {
            natsUrl: nats.url,
            mongodbUri: testMongoUri(),
            databasePrefix: prefix,
            origin,
            clockOffsetMs: options.clockOffsetMs,
          });
          services.set(name, await startProcess(name, { ...env, ...options.env }, onLog));
        }),
    );
    return { origin, natsUrl: nats.url, nats, services, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
