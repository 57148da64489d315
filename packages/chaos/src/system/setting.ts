import { type Fleet, type FleetOptions, startFleet } from './fleet.ts';
import { type Servers, startServers } from './servers.ts';
import { makeWorld, type World } from './world.ts';

/** A whole system that one experiment has to itself. */
export interface Setting {
  readonly servers: Servers;
  readonly fleet: Fleet;
  readonly world: World;
}

/** Starts a system, lets `work` do what it likes to it, and ends it however that goes. */
export async function withSetting<T>(
  options: FleetOptions,
  work: (setting: Setting) => Promise<T>,
): Promise<T> {
  return withServers(async (servers) =>
    withFleet(servers, options, async (fleet) =>
      work({ servers, fleet, world: await makeWorld(servers, fleet) }),
    ),
  );
}

export async function withServers<T>(work: (servers: Servers) => Promise<T>): Promise<T> {
  const servers = await startServers();
  try {
    return await work(servers);
  } finally {
    await servers.stop();
  }
}

export async function withFleet<T>(
  servers: Servers,
  options: FleetOptions,
  work: (fleet: Fleet) => Promise<T>,
): Promise<T> {
  const fleet = await startFleet(servers, options);
  try {
    return await work(fleet);
  } finally {
    // A frozen server would hold up the stop of all that wait for it.
    servers.mongod.resume();
    await servers.nats.resume();
    await fleet.stop();
  }
}
