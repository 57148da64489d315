import type { Fleet, FleetOptions } from '@joblisting/testing/system';
import { type Servers, startFleet, startServers } from './servers.ts';
import type { World } from './world.ts';

/** A system that runs: its servers and its services. */
export interface RunningSystem {
  readonly servers: Servers;
  readonly fleet: Fleet;
  readonly stop: () => Promise<void>;
}

/** A whole system, and a company in it that one experiment has to itself. */
export interface Setting extends Omit<RunningSystem, 'stop'> {
  readonly world: World;
}

export async function startSystem(
  options: FleetOptions,
  tell: (line: string) => void,
): Promise<RunningSystem> {
  const servers = await startServers();
  try {
    const fleet = await startFleet(servers, options, tell);
    const stop = async (): Promise<void> => {
      // A frozen server would hold up the stop of all that wait for it.
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
