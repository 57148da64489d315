import { type ServiceName, serviceNames } from '@joblisting/contracts/permissions';
import { databasePrefix, testMongoUri } from '../servers/mongo.ts';
import type { TestNats } from '../servers/test-nats.ts';
import { createFleet, type Fleet, type FleetOptions } from './fleet.ts';
import type { ServiceProcess } from './process.ts';
import { startGuardedNats } from './users.ts';

/** Where a running system can be reached: what a test file needs to know of it. */
export interface SystemAddress {
  /** Origin of the gateway, without `/v1.0`. */
  readonly origin: string;
  readonly natsUrl: string;
}

export interface System extends SystemAddress {
  readonly nats: TestNats;
  readonly fleet: Fleet;
  readonly services: ReadonlyMap<ServiceName, ServiceProcess>;
  /** Rejects, once all is stopped, if the bus denied a service something. */
  readonly stop: () => Promise<void>;
}

export interface SystemOptions extends Pick<FleetOptions, 'env'> {
  readonly clockOffsetMs?: number;
  readonly leaveOut?: readonly ServiceName[];
  /** Hears what services log, as it comes. */
  readonly onLog?: (text: string) => void;
}

/** Starts every service as a process and a user of the bus of its own, with its own databases on the shared MongoDB. */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const { clockOffsetMs = 0, leaveOut = [], env } = options;
  const nats = await startGuardedNats();
  /** What is denied in the background shows nowhere else. */
  const denials: string[] = [];
  const onLog = (text: string): void => {
    denials.push(...text.split('\n').filter((line) => line.includes('the bus denies')));
    options.onLog?.(text);
  };
  const servers = { natsUrl: nats.url, mongodbUri: testMongoUri(), databasePrefix: databasePrefix() };
  const fleet = await createFleet(servers, { env, listen: () => onLog });
  const stop = async (): Promise<void> => {
    await fleet.stop();
    await nats.stop();
    if (denials.length > 0) throw new Error(`Contracts leave out what services do:\n${denials.join('\n')}`);
  };
  try {
    await fleet.start(
      serviceNames.filter((name) => !leaveOut.includes(name)),
      { clockOffsetMs },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const services = new Map(fleet.all().map((service) => [service.name as ServiceName, service]));
  return { origin: fleet.origins[0] as string, natsUrl: nats.url, nats, fleet, services, stop };
}
