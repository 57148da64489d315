import { setTimeout as delay } from 'node:timers/promises';
import type { MetricsEvent } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import type { Experiment, Run } from '../experiment.ts';
import { atMost, type Figure, none, note, sized } from '../figures.ts';
import { allowedByRestarts, killOneByOne, killsOf, recoveryNote, timesEach, type Victim } from '../faults.ts';
import { eventSender, type Transport } from '../load/event-sender.ts';
import { batchesOf, compareCounts, compareSeries, makeEvent, totalsOf } from '../load/events.ts';
import { measureFreshness } from '../load/freshness.ts';
import { createJob, listAll } from '../load/jobs.ts';
import { untilNone } from '../load/until-none.ts';
import { startWorkers, underLoad } from '../load/workers.ts';
import { type Random, randomOf } from '../random.ts';
import type { Setting } from '../system/setting.ts';
import { single } from '../system/shapes.ts';
import { noneCrashed, serverVictim, serviceVictim } from '../system/victims.ts';

const EVENTS = { ci: 4000, full: 100_000 };
const BATCHES = { ci: 80, full: 1000 };
const KILLS = { ci: 5, full: 50 };
const WORKERS = 4;
const JOBS = 20;
const MAX_PAUSE_MS = 100;
const DRAIN_LIMIT_MS = 120_000;
const PROMISED_DRAIN_MS = 30_000;
/** After this time an event that is counted twice would show. */
const AFTERMATH_MS = 2500;

/** Sends events, some twice, over HTTP and the bus under kills, then compares the counts and the series. */
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
  const jobIds = await Promise.all(Array.from({ length: JOBS }, () => createJob(world)));
  const total = sized(run, EVENTS);
  const events = Array.from({ length: total }, (_, index) =>
    makeEvent(random, `${world.companyId}-${index}`, jobIds),
  );
  const batches = random.shuffle(batchesBySender(random, events, total / sized(run, BATCHES)));
  const wanted = sized(run, KILLS);
  const order = timesEach(victims(setting), Math.ceil(wanted / 5), random).slice(0, wanted);

  let sent = 0;
  const { allowed, kills } = allowedByRestarts(order, batches.length);
  const queue = [...batches];
  const load = startWorkers(WORKERS, async () => {
    const isAllowed = batches.length - queue.length < allowed();
    const batch = isAllowed ? queue.shift() : undefined;
    if (batch !== undefined) {
      await sender.send(batch.events, batch.transport);
      sent += 1;
    }
    await delay(random.whole(10, MAX_PAUSE_MS));
  });
  const killing = { random, progress: () => sent, say: run.say, failure: load.failure };
  const killed = await underLoad(load, async () => {
    const result = await killOneByOne(kills, killing);
    const isSent = (): boolean => sent === batches.length || load.failure() !== undefined;
    await waitFor(isSent, {
      limitMs: 120_000,
      what: () => `${batches.length - sent} of ${batches.length} batches to be acknowledged`,
    });
    return result;
  });

  const expected = totalsOf(events);
  const compare = async (): Promise<string[]> => {
    const jobs = (await listAll(world.api, world.companyId)).filter(({ id }) => jobIds.includes(id));
    return compareCounts(expected, jobs);
  };
  let wrong = await untilNone(compare, { limitMs: DRAIN_LIMIT_MS, everyMs: 100, what: 'all counts' });
  const drained = performance.now() - killed.lastKillAt;
  if (wrong.length === 0) {
    await delay(AFTERMATH_MS);
    wrong = await compare();
  }
  const series = await Promise.all(
    jobIds.map(async (jobId) => {
      const { status, text, json } = await world.api.get(`/jobs/${jobId}/metrics`);
      return status === 200 ? compareSeries(expected, jobId, json.data) : [`job ${jobId}: ${status} ${text}`];
    }),
  );
  const of = `${JOBS} jobs, ${total} events in ${batches.length} batches, ${kills.length} kills`;
  const { http, keyed, bus, replays } = sender.counts;
  return [
    none('Counts that differ from the distinct ids', wrong, of),
    none('Series that do not add up to the distinct ids', series.flat(), of),
    none('Answers other than a complete receipt, 503, 504', odd, of),
    atMost(run, 'All counted after the last kill', drained, PROMISED_DRAIN_MS, 'ms'),
    noneCrashed(fleet),
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

interface Batch {
  readonly events: readonly MetricsEvent[];
  readonly transport: Transport;
}

/** An event id belongs to its sender: an event that is sent twice goes over HTTP twice, or over the bus twice. */
function batchesBySender(random: Random, events: readonly MetricsEvent[], size: number): Batch[] {
  const isOverBus = (index: number): boolean => index % 5 === 0;
  const overBus = events.filter((_event, index) => isOverBus(index));
  const overHttp = events.filter((_event, index) => !isOverBus(index));
  return [
    ...batchesOf(random, overBus, size).map((batch): Batch => ({ events: batch, transport: 'bus' })),
    ...batchesOf(random, overHttp, size).map((batch, index): Batch => ({
      events: batch,
      transport: index % 2 === 0 ? 'keyed' : 'http',
    })),
  ];
}
