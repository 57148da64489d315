import type { Fleet, FleetOptions } from '@joblisting/testing/system';
import { type Servers, startFleet, startServers } from './servers.ts';
import type { World } from './world.ts';

export interface RunningSystem {
  readonly servers: Servers;
  readonly fleet: Fleet;
  readonly stop: () => Promise<void>;
}

/** A system, and a company in it for one experiment. */
export interface Setting extends Omit<RunningSystem, 'stop'> {
  readonly world: World;
}

export async function startSystem(
  options: FleetOptions,
  report: (line: string) => void,
): Promise<RunningSystem> {
  const servers = await startServers();
  try {
    const fleet = await startFleet(servers, options, report);
    const stop = async (): Promise<void> => {
      // A frozen server would block the services that stop.
      servers.mongod.resume();
      await servers.nats.resume();
      await fleet.stop();
      await servers.stop();
    };
    return { servers, fleet, stop };
  } catch (error) {
    await servers.stop();
    throw error;
  }
}
