import { setTimeout as delay } from 'node:timers/promises';
import { waitFor, quantile, showQuantiles, tally } from '@joblisting/testing';
import type { Fleet } from '@joblisting/testing/system';
import type { Experiment, Run } from '../experiment.ts';
import { atMost, type Figure, note, sized } from '../figures.ts';
import { startBalancer } from '../load/balancer.ts';
import { describeOutages, type Outage, outageBetween } from '../load/outage.ts';
import { auditNodes } from '../load/nodes-audit.ts';
import { startNodesLoad, type NodesLoad } from '../load/nodes-load.ts';
import { randomOf } from '../random.ts';
import { type FaultKind, freezes, kills } from '../system/server-faults.ts';
import { type Cluster, withCluster } from '../system/cluster.ts';
import { noneCrashed } from '../system/victims.ts';

const ROUNDS = { ci: 1, full: 3 };
/** How many of the rounds include freezes. */
const FREEZING_ROUNDS = { ci: 0, full: 2 };
const FAULT_MS = { ci: 3000, full: 7000 };
/** Pause after each fault, so that the effects of two faults do not mix. */
const CALM_MS = { ci: 500, full: 2000 };
const RECOVERY_LIMIT_MS = 60_000;
const PROMISED_ANSWER_MS = 3000;

/** The effects of one fault on reads and writes. */
interface FaultEffect {
  readonly fault: string;
  readonly reads: Outage;
  readonly writes: Outage;
  /** Failures after the end of the fault. */
  readonly afterwards: readonly string[];
}

/**
 * A cluster of three nats-servers, three mongods and two processes of each service under mixed load. Kills or freezes
 * the leader of a stream, the primary and half of the processes.
 */
export const manyNodes: Experiment = {
  name: 'many-nodes',
  isLong: true,
  run: (run) =>
    withCluster(run, async (cluster, fleet) => {
      const balancer = startBalancer(fleet.origins);
      const load = await startNodesLoad(cluster, fleet, balancer, run.seed);
      run.say('the load has started');
      const effects: FaultEffect[] = [];
      try {
        for (const fault of faultsOf(run, cluster, fleet)) effects.push(await causeFault(run, fault, load));
      } finally {
        await load.stop();
        await balancer.stop();
      }
      const { reads, writes } = load.steady;
      const times = [...reads, ...writes].map(({ sentAt, endedAt }) => endedAt - sentAt);
      return [
        ...(await auditNodes(cluster, load)),
        noneCrashed(fleet),
        atMost(run, 'Slowest answer', quantile(times, 1), PROMISED_ANSWER_MS, 'ms'),
        ...windows(effects),
        note('Answer times, p50, p99', showQuantiles(times, [0.5, 0.99])),
      ];
    }),
};

function faultsOf(run: Run, cluster: Cluster, fleet: Fleet): FaultKind[] {
  const random = randomOf(run.seed);
  const [killing, freezing] = [kills(cluster, fleet), freezes(cluster)];
  return Array.from({ length: sized(run, ROUNDS) }, (_, round) =>
    random.shuffle(round < sized(run, FREEZING_ROUNDS) ? [...killing, ...freezing] : killing),
  ).flat();
}

async function causeFault(
  run: Run,
  fault: FaultKind,
  { steady, successes, failure }: NodesLoad,
): Promise<FaultEffect> {
  await delay(sized(run, CALM_MS));
  const { begin, end } = await fault.aim();
  const faultAt = performance.now();
  await begin();
  run.say(fault.name);
  await delay(sized(run, FAULT_MS));
  const endAt = performance.now();
  await end();
  const before = successes();
  await waitFor(() => successes() > before || failure() !== undefined, {
    limitMs: RECOVERY_LIMIT_MS,
    what: `the load to continue after the ${fault.name}`,
  });
  await delay(sized(run, CALM_MS));
  const { reads, writes } = steady;
  const effect = {
    fault: fault.name,
    reads: outageBetween(reads, faultAt, endAt),
    writes: outageBetween(writes, faultAt, endAt),
    afterwards: [...reads, ...writes].flatMap(({ sentAt, failure = [] }) => (sentAt >= endAt ? failure : [])),
  };
  const seconds = Math.round((performance.now() - endAt) / 1000);
  run.say(
    `${fault.name}: GET ${describeOutages([effect.reads])}; writes ${describeOutages([effect.writes])}; recovered in ${seconds} s`,
  );
  if (failure() !== undefined) throw failure();
  return effect;
}

const windows = (effects: readonly FaultEffect[]): Figure[] =>
  [...Map.groupBy(effects, ({ fault }) => fault)].flatMap(([fault, all]) => [
    note(`Error window of GET, ${fault}`, describeOutages(all.map(({ reads }) => reads))),
    note(`Error window of writes, ${fault}`, describeOutages(all.map(({ writes }) => writes))),
    note(
      `Failures after the end of the fault, ${fault}`,
      tally(all.flatMap(({ afterwards }) => afterwards)) || 'none',
    ),
  ]);
