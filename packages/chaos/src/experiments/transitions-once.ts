import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment } from '../experiment.ts';
import { atMost, note, sized } from '../figures.ts';
import { makeDueJobs } from '../load/due-jobs.ts';
import { dayOf } from '../load/noon.ts';
import { observeNoon } from '../load/one-noon.ts';
import { randomOf } from '../random.ts';
import { moveToNoon, noons } from '../system/clock.ts';
import { pairs, triples } from '../system/shapes.ts';
import { noneCrashed } from '../system/victims.ts';

const JOBS = { ci: 240, full: 10_000 };
const KILLS = { ci: 4, full: 50 };
/** No promise, but after more time something is stuck. */
const LIMIT_MS = 60_000;
/** The kills start this long before noon. */
const BEFORE_NOON_MS = 1500;

/** Kills schedulers and jobs replicas at random while jobs are due at one noon. */
export const transitionsOnce: Experiment = {
  name: 'transitions-once',
  run: (run) =>
    run.systems.use(sized(run, { ci: pairs, full: triples }), async (setting) => {
      const { fleet, world } = setting;
      const random = randomOf(run.seed);
      const jobs = await makeDueJobs(world, sized(run, JOBS), dayOf(noons.transitionsOnce));
      run.say(`${jobs.length} jobs wait for noon`);
      const kills = sized(run, KILLS);
      const outcome = await observeNoon(setting, jobs, async () => {
        const noon = await moveToNoon(fleet, noons.transitionsOnce);
        const killing = async (): Promise<void> => {
          await delay(Math.max(0, noon.noonAt - Date.now() - BEFORE_NOON_MS));
          const victims = [...fleet.replicas('jobs'), ...fleet.replicas('scheduler')];
          for (let kill = 0; kill < kills; kill++) {
            await delay(random.whole(0, 600));
            const victim = random.pick(victims);
            victim.kill('SIGKILL');
            await victim.restart();
          }
        };
        return { noon, meanwhile: killing() };
      });
      return [
        ...outcome.figures,
        noneCrashed(fleet),
        atMost(run, 'All settled and published after noon, with kills', outcome.settledMs, LIMIT_MS, 'ms'),
        note('Kills of jobs and schedulers', String(kills)),
      ];
    }),
};
