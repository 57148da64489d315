import { type ServiceName, serviceNames } from '@joblisting/contracts/permissions';
import { databasePrefix, testMongoUri } from '../servers/mongo.ts';
import type { TestNats } from '../servers/test-nats.ts';
import { createFleet, type Fleet, type FleetOptions } from './fleet.ts';
import type { ServiceProcess } from './process.ts';
import { startGuardedNats } from './users.ts';

/** The addresses of a running system. */
export interface SystemAddress {
  /** Origin of the gateway, without `/v1.0`. */
  readonly origin: string;
  readonly natsUrl: string;
}

export interface System extends SystemAddress {
  /** With what the names of its databases begin. */
  readonly databasePrefix: string;
  readonly nats: TestNats;
  readonly fleet: Fleet;
  readonly services: ReadonlyMap<ServiceName, ServiceProcess>;
  /** Rejects, when everything has stopped, if the bus denied a service something. */
  readonly stop: () => Promise<void>;
}

export interface SystemOptions extends Pick<FleetOptions, 'env'> {
  readonly leaveOut?: readonly ServiceName[];
  /** Gets the log of the services as it is written. */
  readonly onLog?: (text: string) => void;
}

/** So that requests on a slow machine do not end with 503 or 504. */
const PATIENT = { REQUEST_TIMEOUT_MS: '9000' };

/** Starts every service as a process with its own user of the bus and its own database on the shared MongoDB. */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const { leaveOut = [], env } = options;
  const nats = await startGuardedNats();
  // A denial in background work shows in the log only.
  const denials: string[] = [];
  const onLog = (text: string): void => {
    denials.push(...text.split('\n').filter((line) => line.includes('the bus denies')));
    options.onLog?.(text);
  };
  const servers = { natsUrl: nats.url, mongodbUri: testMongoUri(), databasePrefix: databasePrefix() };
  const fleet = await createFleet(servers, { env: { ...PATIENT, ...env }, listen: () => onLog });
  const stop = async (): Promise<void> => {
    await fleet.stop();
    await nats.stop();
    if (denials.length > 0)
      throw new Error(`The bus denied services what their contracts lack:\n${denials.join('\n')}`);
  };
  try {
    await fleet.start(serviceNames.filter((name) => !leaveOut.includes(name)));
  } catch (error) {
    await stop();
    throw error;
  }
  const services = new Map(fleet.all().map((service) => [service.name as ServiceName, service]));
  const origin = fleet.origins[0] as string;
  return { origin, natsUrl: nats.url, databasePrefix: servers.databasePrefix, nats, fleet, services, stop };
}
