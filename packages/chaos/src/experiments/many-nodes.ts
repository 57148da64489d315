import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@joblisting/testing';
import type { Experiment, Run } from '../experiment.ts';
import { atMost, type Figure, note, sized } from '../figures.ts';
import { balance } from '../load/balancer.ts';
import { describeOutages, type Outage, outageBetween } from '../load/outage.ts';
import { auditNodes } from '../load/nodes-audit.ts';
import { nodesLoad, type NodesLoad } from '../load/nodes-load.ts';
import { randomOf } from '../random.ts';
import { quantile, tally } from '../statistics.ts';
import { type FaultKind, freezes, kills } from '../system/server-faults.ts';
import { type Cluster, withCluster } from '../system/cluster.ts';
import type { Fleet } from '@joblisting/testing/system';
import { noneGaveUp } from '../system/victims.ts';

const ROUNDS = { ci: 1, full: 3 };
/** How many of the rounds have freezes too. */
const FREEZING_ROUNDS = { ci: 0, full: 2 };
const AWAY_MS = { ci: 3000, full: 7000 };
/** A moment of peace after each fault: what fails in it, fails for another reason. */
const CALM_MS = { ci: 500, full: 2000 };
const RECOVERY_LIMIT_MS = 60_000;
const PROMISED_ANSWER_MS = 3000;

/** What one fault did to reads and writes, as it came and as what was away came back. */
interface Felt {
  readonly fault: string;
  readonly reads: Outage;
  readonly writes: Outage;
  readonly comeback: readonly string[];
}

/**
 * Three nats-servers, three mongods and two processes of each service, under mixed load: the leader of a stream, the
 * primary and half of the processes are killed or frozen in turn.
 */
export const manyNodes: Experiment = {
  name: 'many-nodes',
  isLong: true,
  run: (run) =>
    withCluster(run, async (cluster, fleet) => {
      const balancer = balance(fleet.origins);
      const load = await nodesLoad(cluster, fleet, balancer, run.seed);
      run.say('the load runs');
      const felt: Felt[] = [];
      try {
        for (const fault of faultsOf(run, cluster, fleet)) felt.push(await strike(run, fault, load));
      } finally {
        await load.stop();
        await balancer.stop();
      }
      const { reads, writes } = load.steady;
      const times = [...reads, ...writes].map(({ sentAt, endedAt }) => endedAt - sentAt);
      return [
        ...(await auditNodes(cluster, load)),
        noneGaveUp(fleet),
        atMost(run, 'Slowest answer', quantile(times, 1), PROMISED_ANSWER_MS, 'ms'),
        ...windows(felt),
        note(
          'Answer times, p50, p99',
          [0.5, 0.99].map((part) => `${quantile(times, part).toFixed(0)} ms`).join(', '),
        ),
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

async function strike(run: Run, fault: FaultKind, { steady, successes, failure }: NodesLoad): Promise<Felt> {
  await delay(sized(run, CALM_MS));
  const { begin, end } = await fault.aim();
  const faultAt = performance.now();
  await begin();
  run.say(fault.name);
  await delay(sized(run, AWAY_MS));
  const backAt = performance.now();
  await end();
  const before = successes();
  await waitFor(() => successes() > before || failure() !== undefined, {
    limitMs: RECOVERY_LIMIT_MS,
    what: `the load to go on after the ${fault.name}`,
  });
  await delay(sized(run, CALM_MS));
  const { reads, writes } = steady;
  const felt = {
    fault: fault.name,
    reads: outageBetween(reads, faultAt, backAt),
    writes: outageBetween(writes, faultAt, backAt),
    comeback: [...reads, ...writes].flatMap(({ sentAt, failure = [] }) => (sentAt >= backAt ? failure : [])),
  };
  const seconds = Math.round((performance.now() - backAt) / 1000);
  run.say(
    `${fault.name}: GET ${describeOutages([felt.reads])}; writes ${describeOutages([felt.writes])}; back in ${seconds} s`,
  );
  if (failure() !== undefined) throw failure();
  return felt;
}

const windows = (felt: readonly Felt[]): Figure[] =>
  [...Map.groupBy(felt, ({ fault }) => fault)].flatMap(([fault, all]) => [
    note(`Error window of GET, ${fault}`, describeOutages(all.map(({ reads }) => reads))),
    note(`Error window of writes, ${fault}`, describeOutages(all.map(({ writes }) => writes))),
    note(`Failed once it came back, ${fault}`, tally(all.flatMap(({ comeback }) => comeback)) || 'none'),
  ]);
