import { createClient } from '@joblisting/testing/system';
import { waitFor } from '@joblisting/testing';
import type { FleetOptions } from '@joblisting/testing/system';
import { type RunningSystem, type Setting, startSystem } from './setting.ts';
import { endedByThemselves } from './victims.ts';
import { makeWorld, type World } from './world.ts';

/** How long a system may need to be whole again after the experiment before. */
const READY_LIMIT_MS = 30_000;

/** Where experiments get their system from. */
export interface Systems {
  /** Lets `work` do what it likes to a system like that. */
  readonly use: <T>(options: FleetOptions, work: (setting: Setting) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

/**
 * @param areShared an experiment takes over the system of the one before it, if that one was alike and its work has
 * not failed; what each does is in a company of its own. Otherwise each has a system of its own.
 * @param tell gets each error that a service logs, as it comes
 */
export function createSystems(areShared: boolean, tell: (line: string) => void): Systems {
  let kept: { key: string; system: RunningSystem } | undefined;
  const close = async (): Promise<void> => {
    const { system } = kept ?? {};
    kept = undefined;
    await system?.stop();
  };
  const take = async (options: FleetOptions): Promise<RunningSystem> => {
    const key = JSON.stringify(options);
    if (kept?.key !== key) {
      await close();
      kept = { key, system: await startSystem(options, tell) };
    }
    return kept.system;
  };
  return {
    use: async (options, work) => {
      const system = await take(options);
      const { servers, fleet } = system;
      let isSound = false;
      try {
        const result = await work({ servers, fleet, world: await readyWorld(system) });
        isSound = endedByThemselves(fleet.all()).length === 0;
        return result;
      } finally {
        if (!areShared || !isSound) await close();
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
