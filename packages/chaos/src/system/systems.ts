import { waitFor } from '@joblisting/testing';
import { createClient, type FleetOptions } from '@joblisting/testing/system';
import { type RunningSystem, type Setting, startSystem } from './setting.ts';
import { crashedProcesses } from './victims.ts';
import { makeWorld, type World } from './world.ts';

/** Limit for a shared system's recovery from the experiment before. */
const READY_LIMIT_MS = 30_000;

export interface Systems {
  /** Does the work on a system with these options. */
  readonly use: <T>(options: FleetOptions, work: (setting: Setting) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

/**
 * @param areShared whether an experiment reuses the system of the one before, if that has the same options and did not
 * fail. Each has its own company.
 * @param report gets each error that a service logs
 */
export function createSystems(areShared: boolean, report: (line: string) => void): Systems {
  let current: { key: string; system: RunningSystem } | undefined;
  const close = async (): Promise<void> => {
    const { system } = current ?? {};
    current = undefined;
    await system?.stop();
  };
  const systemWith = async (options: FleetOptions): Promise<RunningSystem> => {
    const key = JSON.stringify(options);
    if (current?.key !== key) {
      await close();
      current = { key, system: await startSystem(options, report) };
    }
    return current.system;
  };
  return {
    use: async (options, work) => {
      const system = await systemWith(options);
      const { servers, fleet } = system;
      let isHealthy = false;
      try {
        const result = await work({ servers, fleet, world: await readyWorld(system) });
        isHealthy = crashedProcesses(fleet.all()).length === 0;
        return result;
      } finally {
        if (!areShared || !isHealthy) await close();
      }
    },
    close,
  };
}

async function readyWorld({ servers, fleet }: RunningSystem): Promise<World> {
  const patience = { limitMs: READY_LIMIT_MS, everyMs: 250 };
  const world = await waitFor(() => makeWorld(servers, fleet), {
    ...patience,
    what: 'a company and its keys',
  });
  const list = `/jobs?company.id=${world.companyId}`;
  const answer = async (origin: string): Promise<boolean> =>
    (await createClient(origin, world.keys).get(list)).status === 200;
  await Promise.all(
    fleet.origins.map((origin) =>
      waitFor(() => answer(origin), { ...patience, what: `${origin} to answer` }),
    ),
  );
  return world;
}
