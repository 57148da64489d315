import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, jobBody } from '@joblisting/e2e/harness';
import { type Experiment, none, note, sized } from '../experiment.ts';
import { killInTurn, timesEach } from '../faults.ts';
import { untilDecided } from '../load/decided.ts';
import { inParallel } from '../load/workers.ts';
import { type Random, randomOf } from '../random.ts';
import { tally } from '../statistics.ts';
import type { Servers } from '../system/servers.ts';
import { withSetting } from '../system/setting.ts';
import { serviceVictim } from '../system/victims.ts';
import type { World } from '../system/world.ts';

const AT_ONCE = 6;
const PAUSE_MS = 100;
/** A request whose answer was lost may still be on its way for so long. */
const STRAGGLERS_MS = 5000;
const DELETES_LIMIT_MS = 120_000;

interface StoredJob {
  readonly _id: number;
  readonly categories?: readonly { readonly id: number }[];
}

/** A category is given to jobs while it is deleted, again and again, while both services are killed. */
export const categoryRaces: Experiment = {
  name: 'category-races',
  run: (run) =>
    withSetting({ env: { SWEEP_EVERY_MS: '1000' } }, async ({ servers, fleet, world }) => {
      const random = randomOf(run.seed);
      const wanted = sized(run, { ci: 150, full: 10_000 });
      const jobIds = await makeJobs(world, AT_ONCE * 2);
      const outcomes: string[] = [];
      const odd: string[] = [];
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
      const racing = inParallel(
        untilTrue(() => races >= wanted),
        AT_ONCE,
        race,
      ).finally(() => {
        ended = true;
      });
      const victims = [...fleet.replicas('jobs'), ...fleet.replicas('categories')].map(serviceVictim);
      const kills = timesEach(victims, sized(run, { ci: 2, full: 25 }), random);
      // Races that have ended are progress enough: the last kills may come after them.
      const progress = (): number => (ended ? performance.now() : outcomes.length);
      await killInTurn(kills, { random, progress, say: run.say, failure: () => undefined });
      await racing;
      run.say(`${races} races are run`);
      await delay(STRAGGLERS_MS);
      const dangling = await sweep(servers);
      const stuck = await deleteUnused(servers, world);
      dangling.push(...(await sweep(servers)));
      const of = `${races} races, ${kills.length} kills`;
      return [
        none('Jobs that refer to a category that is gone', dangling, of),
        none('Categories without a job that cannot be deleted', stuck, of),
        none('Answers 500', odd, of),
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
      await delay(random.whole(0, 3));
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

/** The ids of a company's own categories. */
async function categoriesOf({ mongod, databasePrefix }: Servers): Promise<Set<number>> {
  const read = mongod.read<{ _id: number; companyId: number | null }>;
  const rows = await read(`${databasePrefix}categories`, 'categories', { companyId: 1 });
  return new Set(rows.filter(({ companyId }) => companyId !== null).map(({ _id }) => _id));
}

const jobsOf = ({ mongod, databasePrefix }: Servers): Promise<StoredJob[]> =>
  mongod.read<StoredJob>(`${databasePrefix}jobs`, 'jobs', { 'categories.id': 1 });

async function sweep(servers: Servers): Promise<string[]> {
  const jobs = await jobsOf(servers);
  const categories = await categoriesOf(servers);
  return jobs.flatMap(({ _id, categories: held = [] }) =>
    held.filter(({ id }) => !categories.has(id)).map(({ id }) => `job ${_id} has category ${id}`),
  );
}

/** What a crash has left behind must not stand in the way for ever: each unused category can be deleted at last. */
async function deleteUnused(servers: Servers, { api }: World): Promise<string[]> {
  const held = new Set(
    (await jobsOf(servers)).flatMap(({ categories = [] }) => categories.map(({ id }) => id)),
  );
  let left = [...(await categoriesOf(servers))].filter((id) => !held.has(id));
  const giveUpAt = performance.now() + DELETES_LIMIT_MS;
  while (left.length > 0 && performance.now() < giveUpAt) {
    const still: number[] = [];
    await inParallel(left, AT_ONCE, async (id) => {
      const { answer } = await untilDecided(() => api.delete(`/jobcategories/${id}`));
      if (answer.status !== 204 && answer.status !== 404) still.push(id);
    });
    left = still;
    if (left.length > 0) await delay(1000);
  }
  return left.map((id) => `category ${id}`);
}
