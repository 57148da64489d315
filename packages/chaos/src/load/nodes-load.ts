import { setTimeout as delay } from 'node:timers/promises';
import type { MetricsEvent } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { type Fleet, jobBody } from '@joblisting/testing/system';
import { randomOf } from '../random.ts';
import type { Shared } from '../system/servers.ts';
import { makeWorld, type World } from '../system/world.ts';
import { balancedClient, type Balancer } from './balancer.ts';
import { sendKeyed } from './creation.ts';
import { untilDecided } from './decided.ts';
import { eventSender } from './event-sender.ts';
import { makeEvent } from './events.ts';
import { jobWorker } from './job-worker.ts';
import { createJournal } from './journal.ts';
import { steadyLoad } from './steady.ts';
import { startWorkers } from './workers.ts';

const JOB_WORKERS = 1;
const COUNTED_JOBS = 2;
const EVENTS_A_BATCH = 20;
const PAUSE_MS = 400;
const PATIENCE = { limitMs: 60_000, everyMs: 250 };

export type NodesLoad = Awaited<ReturnType<typeof startNodesLoad>>;

/**
 * Mixed load through the balancer: clients that journal their writes to the jobs of one company; requests at a fixed
 * rate, whose failures are timed, to another; and events over the bus for the jobs of the second.
 */
export async function startNodesLoad(shared: Shared, fleet: Fleet, balancer: Balancer, seed: number) {
  const balanced = async (): Promise<World> => {
    const world = await waitFor(() => makeWorld(shared, fleet), {
      ...PATIENCE,
      what: 'a company and its keys',
    });
    return {
      ...world,
      api: balancedClient(balancer, world.keys),
      metrics: balancedClient(balancer, world.metricsKeys),
    };
  };
  const [journaled, counted] = [await balanced(), await balanced()];
  const jobIds: number[] = [];
  for (let index = 0; index < COUNTED_JOBS; index++) {
    const body = jobBody(counted.companyId, { title: `counted-${index}` });
    const key = crypto.randomUUID();
    const { answer } = await untilDecided(() => sendKeyed(counted.api, body, key));
    jobIds.push(Number(answer.json.data.id));
  }

  const journal = createJournal();
  const workers = Array.from({ length: JOB_WORKERS }, (_, index) =>
    jobWorker(journaled, journal, randomOf(seed, index + 1), `w${index}`),
  );
  const random = randomOf(seed, JOB_WORKERS + 1);
  const sender = await eventSender(shared, counted, () => undefined);
  const overBus: MetricsEvent[] = [];
  const report = async (): Promise<void> => {
    const batch = Array.from({ length: EVENTS_A_BATCH }, () =>
      makeEvent(random, crypto.randomUUID(), jobIds),
    );
    overBus.push(...batch);
    await sender.send(batch, 'bus');
  };
  const steady = steadyLoad(counted, jobIds, randomOf(seed, JOB_WORKERS + 2));
  const closedLoop = startWorkers(JOB_WORKERS + 1, async (index) => {
    await (workers[index] ?? report)();
    await delay(PAUSE_MS);
  });
  return {
    journaled,
    counted,
    jobIds,
    journal,
    steady,
    overBus,
    /** The number of acknowledged writes of jobs. */
    successes: journal.writes,
    failure: closedLoop.failure,
    stop: async (): Promise<void> => {
      try {
        await Promise.all([closedLoop.stop(), steady.stop()]);
      } finally {
        await sender.close();
      }
    },
  };
}
