import { createClient, requestsTo } from '@joblisting/testing/system';
import { randomFrom, waitFor } from '@joblisting/testing';
import { sendAll } from '../load/send-all.ts';
import { atLeast } from '../measure/goals.ts';
import { cpuSoFar, used } from '../measure/processes.ts';
import { companyAt } from './product.ts';
import type { Bench, Scenario } from './scenario.ts';

const EVENTS_IN_BATCH = 1000;
const BATCHES_AT_ONCE = 12;
const TYPES = ['view', 'application', 'clickThrough'] as const;
/** A company of average size. */
const COMPANY = 2;
const MAX_JOBS = 1000;
const SHOWN = ['gateway', 'metrics', 'jobs', 'mongod', 'nats-server'] as const;

interface ListedJob {
  readonly viewCount: number;
  readonly applicationCount: number;
  readonly clickThroughCount: number;
}

function makeBatches({ seeded, sizes }: Bench, jobs: number): string[] {
  const random = randomFrom(9);
  const events = (batch: number) =>
    Array.from({ length: EVENTS_IN_BATCH }, (_, index) => ({
      id: `bench-${batch}-${index}-${random.below(1e9).toString(36)}`,
      jobId: seeded.copies.idOf(COMPANY, random.below(jobs)),
      type: random.pick(TYPES),
    }));
  const { post } = requestsTo(seeded.product.origin, seeded.world.metricsKeys);
  return Array.from({ length: Math.ceil(sizes.metricsEvents / EVENTS_IN_BATCH) }, (_, batch) =>
    post('/v1.0/metrics/events', JSON.stringify({ events: events(batch) })),
  );
}

/** The sum of all counts in the company's lists. */
async function countedEvents({ seeded }: Bench): Promise<number> {
  const { id, keys } = companyAt(seeded, COMPANY);
  const api = createClient(seeded.product.origin, keys);
  let total = 0;
  for (let page = 1; ; page++) {
    const { json } = await api.get(`/jobs?company.id=${id}&pageSize=1000&page=${page}`);
    for (const { viewCount, applicationCount, clickThroughCount } of json.data as ListedJob[]) {
      total += viewCount + applicationCount + clickThroughCount;
    }
    if (json.paging.next === null) return total;
  }
}

/** Sends batches of events over HTTP until all are stored, then reads lists until they show all. */
export const metrics: Scenario = {
  name: 'metrics',
  run: async (bench) => {
    const { groups, seeded } = bench;
    const batches = makeBatches(bench, Math.min(MAX_JOBS, companyAt(seeded, COMPANY).jobs));
    const events = batches.length * EVENTS_IN_BATCH;
    const countedBefore = await countedEvents(bench);
    const before = cpuSoFar(groups);
    const since = performance.now();
    const { retries } = await sendAll(seeded.product.origin, batches, {
      atOnce: BATCHES_AT_ONCE,
      status: 200,
    });
    const seconds = (performance.now() - since) / 1000;
    const cpu = used(before, cpuSoFar(groups), events);
    const showsAll = async (): Promise<boolean> => (await countedEvents(bench)) === countedBefore + events;
    await waitFor(showsAll, { limitMs: 60_000, everyMs: 100, what: `the lists to count ${events} events` });
    return {
      goals: [atLeast('events stored', events / seconds, 20_000, 'per second')],
      notes: [
        { what: 'events', measured: events, unit: '' },
        { what: 'retries of batches', measured: retries, unit: '' },
        {
          what: 'last event shows after',
          measured: (performance.now() - since) / 1000 - seconds,
          unit: 's',
        },
        ...SHOWN.map((name) => ({ what: `CPU per event, ${name}`, measured: cpu[name] ?? 0, unit: 'µs' })),
      ],
    };
  },
};
