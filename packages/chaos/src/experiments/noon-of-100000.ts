import { showQuantiles, tally } from '@joblisting/testing';
import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment } from '../experiment.ts';
import { atLeast, none, note, sized } from '../figures.ts';
import { cloneDueJobs } from '../load/clones.ts';
import { dayOf, type Noon } from '../load/noon.ts';
import { observeNoon } from '../load/one-noon.ts';
import { statusWatch } from '../load/status-watch.ts';
import { startWorkers, underLoad } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import { moveToNoon, noons } from '../system/clock.ts';
import { pairs, triples } from '../system/shapes.ts';
import { noneCrashed } from '../system/victims.ts';

const JOBS = { ci: 600, full: 100_000 };
const READERS = 3;

/** 100,000 jobs are due at one noon: each changes once, and every read is right meanwhile. */
export const noonOf100000: Experiment = {
  name: 'noon-of-100000',
  run: (run) =>
    run.systems.use(sized(run, { ci: pairs, full: triples }), async (setting) => {
      const { fleet, world } = setting;
      const random = randomOf(run.seed);
      const { all, ofReader } = await cloneDueJobs(setting, sized(run, JOBS), dayOf(noons.noonOfMany));
      run.say(`${all.length} jobs wait for noon`);
      const statuses: number[] = [];
      const times: number[] = [];
      let watch: ReturnType<typeof statusWatch> | undefined;
      const readers = startWorkers(READERS, async (reader) => {
        if (watch) {
          const since = performance.now();
          statuses.push(await (reader === 0 ? watch.read.page(random) : watch.read.one(random)));
          if (watch.isAfter()) times.push(performance.now() - since);
        }
        await delay(20);
      });
      const begin = async (): Promise<{ noon: Noon }> => {
        const noon = await moveToNoon(fleet, noons.noonOfMany);
        watch = statusWatch(world, ofReader, noon.noonAt);
        return { noon };
      };
      const { figures, settledMs } = await underLoad(readers, () => observeNoon(setting, all, begin));
      const { wrong = [], reads } = watch ?? {};
      const odd = statuses.filter((status) => ![200, 503, 504].includes(status)).map(String);
      return [
        ...figures,
        none('Reads with an outdated status', wrong, `${reads?.after ?? 0} after noon`),
        none('Reads answered other than 200, 503, 504', odd, String(statuses.length)),
        atLeast('Jobs seen by reads after noon', reads?.after ?? 0, 1),
        noneCrashed(fleet),
        note('All settled and published after noon', `${(settledMs / 1000).toFixed(1)} s`),
        note('Reads by answer', tally(statuses)),
        note('Reads after noon, p50, p99, worst', showQuantiles(times, [0.5, 0.99, 1])),
      ];
    }),
};
