import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@joblisting/testing';
import { UNLIMITED } from '@joblisting/testing/system';
import type { Experiment, Run } from '../experiment.ts';
import { allowedByRestarts, killOneByOne, killsOf, recoveryNote, timesEach, type Victim } from '../faults.ts';
import { type Figure, none, note, sized } from '../figures.ts';
import { untilDecided } from '../load/decided.ts';
import { createJob, listAll } from '../load/jobs.ts';
import { siteVisitor } from '../load/site-visitor.ts';
import { untilNone } from '../load/until-none.ts';
import { startWorkers, underLoad } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import type { Setting } from '../system/setting.ts';
import { noneCrashed, serverVictim, serviceVictim } from '../system/victims.ts';
import { withOperator } from '../system/world.ts';

const VISITS = { ci: 300, full: 5000 };
/** Of each process. */
const KILLS = { ci: 1, full: 10 };
const WORKERS = 6;
const JOBS = 10;
const REPEATED = 0.1;
/** How often a job gets a new title meanwhile. */
const CHANGES_EVERY_MS = 200;
/** The last pause before reports are sent again is a minute. */
const DRAIN_LIMIT_MS = 180_000;

/** Visits pages of jobs that change, under kills, then compares counts and pages with what was acknowledged. */
export const siteViews: Experiment = {
  name: 'site-views',
  run: async (run) => {
    const directory = await mkdtemp(join(tmpdir(), 'site-views-'));
    const keyFile = join(directory, 'key');
    try {
      const env = { CONSUMER_KEY_FILE: keyFile };
      return await run.systems.use({ replicas: { metrics: 2 }, env }, async (setting) => {
        await withOperator(setting.servers, async (operator) => {
          const { secret } = await operator.consumerKey(['metrics:write'], UNLIMITED);
          await writeFile(keyFile, secret);
        });
        return visitUnderKills(run, setting);
      });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

async function visitUnderKills(run: Run, setting: Setting): Promise<Figure[]> {
  const { fleet, world } = setting;
  const random = randomOf(run.seed);
  const visitor = siteVisitor(() => fleet.replicas('site')[0]?.healthUrl as string);
  const jobIds = await Promise.all(Array.from({ length: JOBS }, () => createJob(world)));
  for (const id of jobIds) await waitFor(() => visitor.page(id), { what: `the page of job ${id}` });
  const total = sized(run, VISITS);
  const order = timesEach(victims(setting), sized(run, KILLS), random);
  const views = new Map(jobIds.map((id) => [id, 0]));
  const titles = new Map<number, string>();

  let next = 0;
  let visited = 0;
  const { allowed, kills } = allowedByRestarts(order, total);
  const changing = startWorkers(1, async () => {
    const id = random.pick(jobIds);
    const title = `Gardener ${titles.size} ${random.whole(0, 1_000_000)}`;
    const { answer } = await untilDecided(() => world.api.put(`/jobs/${id}`, { title }));
    if (answer.status !== 200) throw new Error(`PUT /jobs/${id}: ${answer.status} ${answer.text}`);
    titles.set(id, title);
    await delay(CHANGES_EVERY_MS);
  });
  const visiting = startWorkers(WORKERS, async () => {
    if (next >= Math.min(total, allowed())) return delay(20);
    const jobId = random.pick(jobIds);
    await visitor.visit(jobId, next++, random.chance(REPEATED) ? 1 : 0);
    views.set(jobId, (views.get(jobId) ?? 0) + 1);
    visited += 1;
  });
  const failure = () => visiting.failure() ?? changing.failure();
  const killed = await underLoad(changing, () =>
    underLoad(visiting, async () => {
      const killing = { random, progress: () => visited, say: run.say, failure };
      const result = await killOneByOne(kills, killing);
      const isDone = () => visited === total || failure() !== undefined;
      await waitFor(isDone, { limitMs: DRAIN_LIMIT_MS, what: 'all visits to be acknowledged' });
      return result;
    }),
  );

  const settled = { limitMs: DRAIN_LIMIT_MS, everyMs: 250 };
  const wrongCounts = await untilNone(() => compareViews(setting, views), { ...settled, what: 'the counts' });
  const drained = (performance.now() - killed.lastKillAt) / 1000;
  const oldTitles = async (): Promise<string[]> => {
    const pages = await Promise.all([...titles].map(async ([id, title]) => [await visitor.page(id), title]));
    return pages.flatMap(([page = '', title = '']) => (page.includes(title) ? [] : [title]));
  };
  const stale = await untilNone(oldTitles, { ...settled, what: 'the pages' });
  const of = `${JOBS} jobs, ${total} visits, ${kills.length} kills`;
  return [
    none('viewCount that differs from the visits', wrongCounts, of),
    none('Pages without the last title', stale, `${titles.size} changed jobs`),
    noneCrashed(fleet),
    note('All views counted after the last kill', `${drained.toFixed(1)} s`),
    note('Kills', killsOf(kills)),
    recoveryNote(killed),
  ];
}

const victims = ({ servers, fleet }: Setting): Victim[] => [
  ...fleet.replicas('site').map(serviceVictim),
  ...fleet.replicas('gateway').map(serviceVictim),
  ...fleet.replicas('jobs').map(serviceVictim),
  ...fleet.replicas('metrics').map(serviceVictim),
  serverVictim('nats-server', servers.nats),
  serverVictim('mongod', servers.mongod),
];

async function compareViews({ world }: Setting, views: ReadonlyMap<number, number>): Promise<string[]> {
  const jobs = await listAll(world.api, world.companyId);
  return jobs
    .filter(({ id, viewCount }) => views.has(id) && views.get(id) !== viewCount)
    .map(({ id, viewCount }) => `job ${id}: ${viewCount}, not ${views.get(id)}`);
}
