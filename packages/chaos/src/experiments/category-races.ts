import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, jobBody } from '@joblisting/testing/system';
import { inParallel, waitFor, tally } from '@joblisting/testing';
import type { Experiment } from '../experiment.ts';
import { atLeast, none, note, sized } from '../figures.ts';
import { killOneByOne, killsOf, timesEach, type Victim } from '../faults.ts';
import { categoryAudit } from '../load/category-audit.ts';
import { untilDecided } from '../load/decided.ts';
import { createJob } from '../load/jobs.ts';
import { type Random, randomOf } from '../random.ts';
import { single } from '../system/shapes.ts';
import { noneCrashed, serviceVictim } from '../system/victims.ts';
import type { World } from '../system/world.ts';

const RACES = { ci: 150, full: 10_000 };
const KILLS_EACH = { ci: 1, full: 25 };
const AT_ONCE = { ci: 6, full: 10 };
const RACING_LIMIT_MS = 10 * 60_000;
const PAUSE_MS = 100;
/** Each request of a race starts after a random delay; five times longer for a deletion, which is faster. */
const MAX_START_MS = 3;
/** A request whose answer was lost may still run for this long. */
const STRAGGLERS_MS = 5000;
/** The sweep checks references that are a minute old. At ci scale the clock of categories is moved past that. */
const REPAIR_LIMIT_MS = 120_000;
const PAST_REPAIR_MS = 150_000;

/** Assigns categories to jobs while they are deleted and both services are killed. */
export const categoryRaces: Experiment = {
  name: 'category-races',
  run: (run) =>
    run.systems.use(single, async ({ servers, fleet, world }) => {
      const random = randomOf(run.seed);
      const wanted = sized(run, RACES);
      const atOnce = sized(run, AT_ONCE);
      const jobIds = await Promise.all(Array.from({ length: atOnce * 2 }, () => createJob(world)));
      const outcomes: string[] = [];
      const odd: string[] = [];
      const limitAt = performance.now() + RACING_LIMIT_MS;
      let races = 0;
      let hasEnded = false;
      const race = async (index: number): Promise<void> => {
        const { removal, assignments } = await runRace(world, randomOf(run.seed, index + 1), index, jobIds);
        const outcome = [removal, ...assignments].join(' ');
        outcomes.push(outcome);
        if (outcome.includes('500')) odd.push(outcome);
        // Without a service there is no race.
        if (removal < 500 && assignments.some((status) => status > 0 && status < 500)) races += 1;
        else await delay(PAUSE_MS);
      };
      const isOver = (): boolean => races >= wanted || performance.now() > limitAt;
      let failure: unknown;
      const runAll = async (): Promise<void> => {
        try {
          await inParallel(untilTrue(isOver), atOnce, race);
        } catch (error) {
          failure = error;
        }
        hasEnded = true;
      };
      const racing = runAll();
      const victims = [...fleet.replicas('jobs'), ...fleet.replicas('categories')].map(serviceVictim);
      const kills = timesEach(victims, sized(run, KILLS_EACH), random);
      const spread = kills.map((victim, index): Victim => ({
        ...victim,
        kill: async () => {
          const isDue = (): boolean => hasEnded || races >= (wanted * index) / kills.length;
          await waitFor(isDue, { limitMs: RACING_LIMIT_MS, what: 'the next part of the races' });
          await victim.kill();
        },
      }));
      // The last kill may come after the end of the races, when only time makes progress.
      const progress = (): number => (hasEnded ? performance.now() : outcomes.length);
      await killOneByOne(spread, { random, progress, say: run.say, failure: () => failure });
      await racing;
      if (failure !== undefined) throw failure;
      run.say(`${races} races are done`);

      await delay(STRAGGLERS_MS);
      const audit = categoryAudit(servers, world);
      const dangling = await audit.dangling();
      if (run.scale === 'ci') await fleet.replace(['categories'], { clockOffsetMs: PAST_REPAIR_MS });
      const { atFirst, stuck } = await audit.deleteUnused(REPAIR_LIMIT_MS);
      const wrongCounts = await audit.untilCounted(REPAIR_LIMIT_MS);
      dangling.push(...(await audit.dangling()));
      const of = `${races} races, ${kills.length} kills`;
      return [
        atLeast('Races of assigning against deleting', races, wanted),
        none('Jobs with a deleted category', dangling, of),
        none('Categories without a job that could not be deleted', stuck, of),
        none('Categories with a wrong count of references', wrongCounts, of),
        none('Answers 500', odd, of),
        noneCrashed(fleet),
        note('Kills', killsOf(kills)),
        note('Categories repaired after a crash', String(atFirst - stuck.length)),
        note('Outcomes (delete, assignments)', tally(outcomes)),
      ];
    }),
};

/** Deletes a new category while it is assigned to jobs, by id or name, and new jobs are created with it. */
async function runRace(
  world: World,
  random: Random,
  race: number,
  jobIds: readonly number[],
): Promise<{ removal: number; assignments: readonly number[] }> {
  const { api, companyId } = world;
  const name = `Race ${race}`;
  const created = await untilDecided(() => api.post('/jobcategories', { name, company: { id: companyId } }));
  const id = Number(created.answer.json.data?.id ?? created.answer.json.conflict?.id);
  const assign = (): Promise<Answer> =>
    api.put(`/jobs/${random.pick(jobIds)}`, { categories: [random.chance(0.8) ? { id } : { name }] });
  const create = (): Promise<Answer> => api.post('/jobs', jobBody(companyId, { categories: [{ id }] }));
  const remove = (): Promise<Answer> => api.delete(`/jobcategories/${id}`);
  const requests = random.shuffle([remove, assign, random.chance(0.3) ? create : assign]);
  // Sent once: the sweep has to repair what a lost answer leaves.
  const statuses = await Promise.all(
    requests.map(async (request) => {
      await delay(random.whole(0, request === remove ? MAX_START_MS * 5 : MAX_START_MS));
      const { status } = await request().catch(() => ({ status: 0 }));
      return { isRemoval: request === remove, status };
    }),
  );
  const assignments = statuses.filter(({ isRemoval }) => !isRemoval).map(({ status }) => status);
  return {
    removal: statuses.find(({ isRemoval }) => isRemoval)?.status ?? 0,
    assignments: assignments.toSorted((one, other) => one - other),
  };
}

/** Counts from 0 until the condition is true. */
function* untilTrue(condition: () => boolean): Generator<number> {
  for (let index = 0; !condition(); index++) yield index;
}
