import { setTimeout as delay } from 'node:timers/promises';
import type { MetricsEvent } from '@joblisting/contracts';
import { jobBody } from '@joblisting/testing/system';
import { waitFor } from '@joblisting/testing';
import type { Experiment, Run } from '../experiment.ts';
import { atMost, type Figure, none, note, sized } from '../figures.ts';
import { killInTurn, killsOf, recoveryNote, timesEach, type Victim } from '../faults.ts';
import { untilDecided } from '../load/decided.ts';
import { eventSender, type Way } from '../load/event-sender.ts';
import { batchesOf, compareCounts, makeEvent, totalsOf } from '../load/events.ts';
import { measureFreshness } from '../load/freshness.ts';
import { listAll } from '../load/jobs.ts';
import { startWorkers, under } from '../load/workers.ts';
import { type Random, randomOf } from '../random.ts';
import type { Setting } from '../system/setting.ts';
import { single } from '../system/shapes.ts';
import { noneGaveUp, serverVictim, serviceVictim } from '../system/victims.ts';
import type { World } from '../system/world.ts';

const EVENTS = { ci: 4000, full: 100_000 };
const BATCHES = { ci: 80, full: 1000 };
const KILLS = { ci: 5, full: 50 };
const WORKERS = 4;
const JOBS = 20;
const LONGEST_PAUSE_MS = 100;
const DRAIN_LIMIT_MS = 120_000;
const PROMISED_DRAIN_MS = 30_000;
/** What would be counted once too often would be by then. */
const AFTERMATH_MS = 2500;

/** Sends events, some twice, over HTTP and over the bus, while what counts them is killed; then compares. */
export const exactCounts: Experiment = {
  name: 'exact-counts',
  run: (run) =>
    run.systems.use(single, async (setting) => {
      const odd: string[] = [];
      const sender = await eventSender(setting.servers, setting.world, (what) => odd.push(what));
      try {
        const fresh = await measureFreshness(run, setting.world, sender);
        return [...fresh, ...(await countUnderKills(run, setting, sender, odd))];
      } finally {
        await sender.close();
      }
    }),
};

async function countUnderKills(
  run: Run,
  setting: Setting,
  sender: Awaited<ReturnType<typeof eventSender>>,
  odd: readonly string[],
): Promise<Figure[]> {
  const { fleet, world } = setting;
  const random = randomOf(run.seed);
  const jobIds = await makeJobs(world);
  const total = sized(run, EVENTS);
  const events = Array.from({ length: total }, (_, index) =>
    makeEvent(random, `${world.companyId}-${index}`, jobIds),
  );
  const batches = random.shuffle(waysOf(random, events, total / sized(run, BATCHES)));
  const wanted = sized(run, KILLS);
  const kills = timesEach(victims(setting), Math.ceil(wanted / 5), random).slice(0, wanted);

  let sent = 0;
  let survived = 0;
  // The events last as long as the kills do: each restart lets a share of them go out.
  const allowed = (): number => (batches.length * (survived + 1)) / (kills.length + 1);
  const releasing = (victim: Victim): Victim => ({
    ...victim,
    restart: async () => {
      await victim.restart();
      survived += 1;
    },
  });
  const queue = [...batches];
  const load = startWorkers(WORKERS, async () => {
    const isAllowed = batches.length - queue.length < allowed();
    const batch = isAllowed ? queue.shift() : undefined;
    if (batch !== undefined) {
      await sender.send(batch.events, batch.way);
      sent += 1;
    }
    await delay(random.whole(10, LONGEST_PAUSE_MS));
  });
  const killing = { random, progress: () => sent, say: run.say, failure: load.failure };
  const killed = await under(load, async () => {
    const result = await killInTurn(kills.map(releasing), killing);
    const isSent = (): boolean => sent === batches.length || load.failure() !== undefined;
    await waitFor(isSent, {
      limitMs: 120_000,
      what: () => `${batches.length - sent} of ${batches.length} batches to be acknowledged`,
    });
    return result;
  });

  const expected = totalsOf(events);
  let wrong: string[] = [];
  const compare = async (): Promise<boolean> => {
    const jobs = (await listAll(world.api, world.companyId)).filter(({ id }) => jobIds.includes(id));
    wrong = compareCounts(expected, jobs);
    return wrong.length === 0;
  };
  await waitFor(compare, { limitMs: DRAIN_LIMIT_MS, everyMs: 100, what: () => wrong.join('; ') }).catch(
    () => false,
  );
  const drained = performance.now() - killed.lastKillAt;
  if (wrong.length === 0) {
    await delay(AFTERMATH_MS);
    await compare();
  }
  const of = `${JOBS} jobs, ${total} events in ${batches.length} batches, ${kills.length} kills`;
  const { http, keyed, bus, replays } = sender.counts;
  return [
    none('Counts that differ from the distinct ids', wrong, of),
    none('Answers other than a whole receipt, 503, 504', odd, of),
    atMost(run, 'All counted after the last kill', drained, PROMISED_DRAIN_MS, 'ms'),
    noneGaveUp(fleet),
    note('Kills', killsOf(kills)),
    note('Batches', `${http} over HTTP, ${keyed} with a key (${replays} replays), ${bus} over the bus`),
    recoveryNote(killed),
  ];
}

const victims = ({ servers, fleet }: Setting): Victim[] => [
  ...fleet.replicas('metrics').map(serviceVictim),
  ...fleet.replicas('jobs').map(serviceVictim),
  ...fleet.replicas('gateway').map(serviceVictim),
  serverVictim('nats-server', servers.nats),
  serverVictim('mongod', servers.mongod),
];

async function makeJobs({ api, companyId }: World): Promise<number[]> {
  const answers = await Promise.all(
    Array.from({ length: JOBS }, () => untilDecided(() => api.post('/jobs', jobBody(companyId)))),
  );
  return answers.map(({ answer }) => Number(answer.json.data.id));
}

interface Batch {
  readonly events: readonly MetricsEvent[];
  readonly way: Way;
}

/** An event id belongs to its sender: what is sent twice goes the same way, over HTTP or over the bus. */
function waysOf(random: Random, events: readonly MetricsEvent[], size: number): Batch[] {
  const overBus = batchesOf(
    random,
    events.filter((_, index) => index % 5 === 0),
    size,
  );
  const overHttp = batchesOf(
    random,
    events.filter((_, index) => index % 5 !== 0),
    size,
  );
  return [
    ...overBus.map((batch): Batch => ({ events: batch, way: 'bus' })),
    ...overHttp.map((batch, index): Batch => ({ events: batch, way: index % 2 === 0 ? 'keyed' : 'http' })),
  ];
}
