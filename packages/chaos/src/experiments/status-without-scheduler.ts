import { tally } from '@joblisting/testing';
import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment } from '../experiment.ts';
import { atLeast, none, note, sized } from '../figures.ts';
import { makeDueJobs } from '../load/due-jobs.ts';
import { dayOf } from '../load/noon.ts';
import { statusWatch } from '../load/status-watch.ts';
import { startWorkers } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import { moveToNoon, noons, withoutScheduler } from '../system/clock.ts';
import { pairs } from '../system/shapes.ts';
import { noneCrashed } from '../system/victims.ts';

const JOBS = { ci: 30, full: 300 };
const READERS = 4;
const BEFORE_NOON_MS = { ci: 1500, full: 5000 };
const AFTER_NOON_MS = { ci: 1500, full: 20_000 };

/** Without a scheduler, every read across noon shows the status by the clock. */
export const statusWithoutScheduler: Experiment = {
  name: 'status-without-scheduler',
  run: (run) =>
    run.systems.use(pairs, async ({ fleet, world }) =>
      withoutScheduler(fleet, async () => {
        const random = randomOf(run.seed);
        const jobs = await makeDueJobs(world, sized(run, JOBS), dayOf(noons.withoutScheduler));
        const { noonAt } = await moveToNoon(fleet, noons.withoutScheduler);
        await delay(Math.max(0, noonAt - Date.now() - sized(run, BEFORE_NOON_MS)));
        const { read, wrong, reads } = statusWatch(world, jobs, noonAt);
        const statuses: number[] = [];
        const load = startWorkers(READERS, async (reader) => {
          statuses.push(
            await (reader === 0 ? read.all() : reader === 1 ? read.page(random) : read.one(random)),
          );
          await delay(5);
        });
        await delay(noonAt - Date.now() + sized(run, AFTER_NOON_MS));
        await load.stop();
        const odd = statuses.filter((status) => status !== 200).map(String);
        return [
          none(
            'Reads with an outdated status',
            wrong,
            `${reads.before} reads before noon, ${reads.after} after`,
          ),
          none('Reads answered other than 200', odd, String(statuses.length)),
          atLeast('Reads before noon', reads.before, 1),
          atLeast('Reads after noon', reads.after, 1),
          noneCrashed(fleet),
          note('Reads by answer', tally(statuses)),
        ];
      }),
    ),
};
