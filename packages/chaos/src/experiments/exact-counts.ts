import { setTimeout as delay } from 'node:timers/promises';
import { connectBus } from '@joblisting/bus';
import { type MetricsEvent, metricsReported } from '@joblisting/contracts';
import { jobBody } from '@joblisting/e2e/harness';
import { waitFor } from '@joblisting/testing';
import { atMost, type Experiment, none, note, sized } from '../experiment.ts';
import { killInTurn, timesEach, type Victim } from '../faults.ts';
import { untilDecided } from '../load/decided.ts';
import { type Header, listAll } from '../load/jobs.ts';
import { startWorkers } from '../load/workers.ts';
import { type Random, randomOf } from '../random.ts';
import { type Setting, withSetting } from '../system/setting.ts';
import { endedByThemselves, serverVictim, serviceVictim } from '../system/victims.ts';
import type { World } from '../system/world.ts';

const WORKERS = 4;
const JOBS = 20;
const LONGEST_PAUSE_MS = 100;
const DRAIN_LIMIT_MS = 120_000;
const PROMISED_DRAIN_MS = 30_000;
const types = ['view', 'application', 'clickThrough'] as const;

/** Sends events, some twice, over HTTP and over the bus, while what counts them is killed; then compares. */
export const exactCounts: Experiment = {
  name: 'exact-counts',
  run: (run) =>
    withSetting({ replicas: { metrics: 2 } }, async (setting) => {
      const { fleet, world } = setting;
      const random = randomOf(run.seed);
      const jobIds = await makeJobs(world);
      const total = sized(run, { ci: 4000, full: 100_000 });
      const events = Array.from({ length: total }, (_, index) => makeEvent(random, index, jobIds));
      const batches = batchesOf(random, events, total / sized(run, { ci: 80, full: 1000 }));
      const kills = timesEach(victims(setting), sized(run, { ci: 1, full: 10 }), random).slice(0, 50);
      const bus = await connectBus({ url: setting.servers.nats.url, name: 'search-site' });
      const odd: string[] = [];
      const send = sender(world, bus, (what) => odd.push(what));

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
      const queue = [...batches.entries()];
      const load = startWorkers(WORKERS, async () => {
        const isAllowed = batches.length - queue.length < allowed();
        const [index, batch] = (isAllowed ? queue.shift() : undefined) ?? [];
        if (index !== undefined && batch !== undefined) {
          await send(batch, index % 5 === 0);
          sent += 1;
        }
        await delay(random.whole(10, LONGEST_PAUSE_MS));
      });
      let recoveries: number[];
      try {
        const killing = { random, progress: () => sent, say: run.say, failure: load.failure };
        recoveries = await killInTurn(kills.map(releasing), killing);
        await waitFor(() => queue.length === 0 || load.failure() !== undefined, {
          limitMs: 120_000,
          what: 'the last batches',
        });
      } finally {
        await load.stop();
        await bus.close();
      }
      const drainedSince = performance.now();
      const expected = totals(events);
      let wrong: string[] = [];
      await waitFor(
        async () => {
          wrong = compare(expected, await listAll(world.api, world.companyId));
          return wrong.length === 0;
        },
        { limitMs: DRAIN_LIMIT_MS, everyMs: 100, what: 'the counts' },
      ).catch(() => undefined);
      const drained = performance.now() - drainedSince;
      await delay(2500);
      const after = compare(expected, await listAll(world.api, world.companyId));
      const of = `${JOBS} jobs, ${total} events in ${batches.length} batches, ${kills.length} kills`;
      return [
        none('Counts that differ from the distinct ids', wrong.length > 0 ? wrong : after, of),
        none('Answers other than 200, 503, 504', odd, of),
        atMost(run, 'Counted after the last kill', drained, PROMISED_DRAIN_MS, 'ms'),
        none('Processes that gave up', endedByThemselves(fleet.all), String(fleet.all.length)),
        note('Recovery after a kill, worst', `${Math.max(...recoveries).toFixed(0)} ms`),
      ];
    }),
};

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

const makeEvent = (random: Random, index: number, jobIds: readonly number[]): MetricsEvent => ({
  id: `event-${index}`,
  jobId: random.pick(jobIds),
  type: random.pick(types),
});

/** Cuts the events into batches; one in twenty is in another batch as well. */
function batchesOf(random: Random, events: readonly MetricsEvent[], size: number): MetricsEvent[][] {
  const doubled = events.filter(() => random.chance(0.05));
  const all = random.shuffle([...events, ...doubled]);
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

function sender(world: World, bus: Awaited<ReturnType<typeof connectBus>>, odd: (what: string) => void) {
  return async (events: readonly MetricsEvent[], overBus: boolean): Promise<void> => {
    if (overBus) {
      const messageId = crypto.randomUUID();
      const publish = () => bus.publishEvent(metricsReported, { events: [...events] }, messageId);
      await waitFor(publish, { limitMs: 60_000, everyMs: 100, what: 'the stream to take a batch' });
      return;
    }
    const { answer } = await untilDecided(() => world.metrics.post('/metrics/events', { events }), {
      onOdd: odd,
    });
    const rejected = answer.json?.data?.rejected?.length;
    if (answer.status !== 200 || rejected !== 0) odd(`${answer.status} ${answer.text.slice(0, 200)}`);
  };
}

const totals = (events: readonly MetricsEvent[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { jobId, type } of events) {
    counts.set(`${jobId} ${type}`, (counts.get(`${jobId} ${type}`) ?? 0) + 1);
  }
  return counts;
};

function compare(expected: ReadonlyMap<string, number>, headers: readonly Header[]): string[] {
  return headers.flatMap(({ id, viewCount, applicationCount, clickThroughCount }) =>
    Object.entries({ view: viewCount, application: applicationCount, clickThrough: clickThroughCount })
      .filter(([type, count]) => count !== (expected.get(`${id} ${type}`) ?? 0))
      .map(([type, count]) => `job ${id} ${type} ${count}, not ${expected.get(`${id} ${type}`) ?? 0}`),
  );
}
