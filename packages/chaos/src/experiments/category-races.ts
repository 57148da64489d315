import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, jobBody } from '@joblisting/testing/system';
import { inParallel, waitFor } from '@joblisting/testing';
import type { Experiment } from '../experiment.ts';
import { atLeast, none, note, sized } from '../figures.ts';
import { killInTurn, killsOf, timesEach, type Victim } from '../faults.ts';
import { categoryAudit } from '../load/category-audit.ts';
import { untilDecided } from '../load/decided.ts';
import { type Random, randomOf } from '../random.ts';
import { tally } from '../statistics.ts';
import { single } from '../system/shapes.ts';
import { noneGaveUp, serviceVictim } from '../system/victims.ts';
import type { World } from '../system/world.ts';

const RACES = { ci: 150, full: 10_000 };
const KILLS_EACH = { ci: 1, full: 25 };
const AT_ONCE = { ci: 6, full: 10 };
const RACING_LIMIT_MS = 10 * 60_000;
const PAUSE_MS = 100;
/** The moments at which the requests of a race begin; a deletion takes a shorter way, and would mostly be first. */
const LONGEST_START_MS = 3;
/** A request whose answer was lost may still be on its way for so long. */
const STRAGGLERS_MS = 5000;
/** A reference is first looked after when it is a minute old; at ci scale the clock of categories is moved past that. */
const REPAIR_LIMIT_MS = 120_000;
const PAST_REPAIR_MS = 150_000;

/** A category is given to jobs while it is deleted, again and again, while both services are killed. */
export const categoryRaces: Experiment = {
  name: 'category-races',
  run: (run) =>
    run.systems.use(single, async ({ servers, fleet, world }) => {
      const random = randomOf(run.seed);
      const wanted = sized(run, RACES);
      const atOnce = sized(run, AT_ONCE);
      const jobIds = await makeJobs(world, atOnce * 2);
      const outcomes: string[] = [];
      const odd: string[] = [];
      const giveUpAt = performance.now() + RACING_LIMIT_MS;
      let races = 0;
      let ended = false;
      const race = async (index: number): Promise<void> => {
        const { removal, assignments } = await runRace(world, randomOf(run.seed, index + 1), index, jobIds);
        const outcome = [removal, ...assignments].join(' ');
        outcomes.push(outcome);
        if (outcome.includes('500')) odd.push(outcome);
        // Where a service is away, nothing races.
        if (removal < 500 && assignments.some((status) => status > 0 && status < 500)) races += 1;
        else await delay(PAUSE_MS);
      };
      const isOver = (): boolean => races >= wanted || performance.now() > giveUpAt;
      let failure: unknown;
      const runAll = async (): Promise<void> => {
        try {
          await inParallel(untilTrue(isOver), atOnce, race);
        } catch (error) {
          failure = error;
        }
        ended = true;
      };
      const racing = runAll();
      const victims = [...fleet.replicas('jobs'), ...fleet.replicas('categories')].map(serviceVictim);
      const kills = timesEach(victims, sized(run, KILLS_EACH), random);
      const spread = kills.map((victim, index): Victim => ({
        ...victim,
        kill: async () => {
          const isDue = (): boolean => ended || races >= (wanted * index) / kills.length;
          await waitFor(isDue, { limitMs: RACING_LIMIT_MS, what: 'the next share of the races' });
          await victim.kill();
        },
      }));
      // Races that have ended are progress enough: the last kill may come after them.
      const progress = (): number => (ended ? performance.now() : outcomes.length);
      await killInTurn(spread, { random, progress, say: run.say, failure: () => failure });
      await racing;
      if (failure !== undefined) throw failure;
      run.say(`${races} races are run`);

      await delay(STRAGGLERS_MS);
      const audit = categoryAudit(servers, world);
      const dangling = await audit.dangling();
      if (run.scale === 'ci') await fleet.replace(['categories'], { clockOffsetMs: PAST_REPAIR_MS });
      const { atFirst, stuck } = await audit.deleteUnused(REPAIR_LIMIT_MS);
      const miscounted = await audit.untilCounted(REPAIR_LIMIT_MS);
      dangling.push(...(await audit.dangling()));
      const of = `${races} races, ${kills.length} kills`;
      return [
        atLeast('Races of assigning against deleting', races, wanted),
        none('Jobs that refer to a category that is gone', dangling, of),
        none('Categories without a job that cannot be deleted', stuck, of),
        none('Categories that count other references than jobs have', miscounted, of),
        none('Answers 500', odd, of),
        noneGaveUp(fleet),
        note('Kills', killsOf(kills)),
        note('Categories that were stuck after a crash, and repaired', String(atFirst - stuck.length)),
        note('Outcomes (delete, assignments)', tally(outcomes)),
      ];
    }),
};

async function makeJobs({ api, companyId }: World, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let made = 0; made < count; made++) {
    const { answer } = await untilDecided(() => api.post('/jobs', jobBody(companyId)));
    ids.push(Number(answer.json.data.id));
  }
  return ids;
}

/** Deletes a new category while one job is given it, by id or by name, and another is made with it. */
async function runRace(
  world: World,
  random: Random,
  race: number,
  jobIds: readonly number[],
): Promise<{ removal: number; assignments: readonly number[] }> {
  const { api, companyId } = world;
  const name = `Race ${race}`;
  const made = await untilDecided(() => api.post('/jobcategories', { name, company: { id: companyId } }));
  const id = Number(made.answer.json.data?.id ?? made.answer.json.conflict?.id);
  const assign = (): Promise<Answer> =>
    api.put(`/jobs/${random.pick(jobIds)}`, { categories: [random.chance(0.8) ? { id } : { name }] });
  const create = (): Promise<Answer> => api.post('/jobs', jobBody(companyId, { categories: [{ id }] }));
  const remove = (): Promise<Answer> => api.delete(`/jobcategories/${id}`);
  const requests = random.shuffle([remove, assign, random.chance(0.3) ? create : assign]);
  // Sent once: what a lost answer leaves open is for the sweep to find.
  const statuses = await Promise.all(
    requests.map(async (request) => {
      await delay(random.whole(0, request === remove ? LONGEST_START_MS * 5 : LONGEST_START_MS));
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

/** 0, 1, 2 and so on until the condition holds. */
function* untilTrue(condition: () => boolean): Generator<number> {
  for (let index = 0; !condition(); index++) yield index;
}
