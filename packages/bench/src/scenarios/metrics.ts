import { createClient, serviceNames } from '@joblisting/e2e/harness';
import { waitFor } from '@joblisting/testing';
import { requestsTo } from '../load/requests.ts';
import { sendAll } from '../load/send-all.ts';
import { cpuSoFar, used } from '../measure/account.ts';
import { atLeast, atMost } from '../measure/goals.ts';
import { randomFrom } from '../seed/texts.ts';
import { sum } from '../statistics.ts';
import type { BenchCompany } from '../system/world.ts';
import { databaseBytes } from '../system/storage.ts';
import type { Bench, Scenario } from './scenario.ts';

const EVENTS_IN_BATCH = 1000;
const BATCHES_AT_ONCE = 12;
const TYPES = ['view', 'application', 'clickThrough'] as const;
/** One of those between large and small. */
const COMPANY = 2;
const MOST_JOBS = 1000;
const COUNTED = [...serviceNames, 'mongod', 'nats-server'];

interface Listed {
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

/** Events over HTTP in batches; an answer says that they are counted, and a list that everybody sees it. */
export const metrics: Scenario = {
  name: 'metrics',
  run: async (bench) => {
    const { groups, servers, seeded } = bench;
    const { product, world } = seeded;
    const { id, keys, jobs } = world.companies[COMPANY] as BenchCompany;
    const targets = Math.min(MOST_JOBS, jobs);
    const batches = makeBatches(bench, targets);
    const api = createClient(product.origin, keys);
    const counted = async (): Promise<number> => {
      let total = 0;
      for (let page = 1; ; page++) {
        const { json } = await api.get(`/jobs?company.id=${id}&pageSize=1000&page=${page}`);
        for (const { viewCount, applicationCount, clickThroughCount } of json.data as Listed[]) {
          total += viewCount + applicationCount + clickThroughCount;
        }
        if (json.paging.next === null) return total;
      }
    };
    const events = batches.length * EVENTS_IN_BATCH;
    const countedBefore = await counted();
    const bytesBefore = await databaseBytes(servers, `${product.databasePrefix}metrics`);

    const before = cpuSoFar(groups);
    const since = performance.now();
    const { again } = await sendAll(product.origin, batches, { atOnce: BATCHES_AT_ONCE, status: 200 });
    const seconds = (performance.now() - since) / 1000;
    const cpu = used(before, cpuSoFar(groups), events);
    const all = async (): Promise<boolean> => (await counted()) === countedBefore + events;
    await waitFor(all, { limitMs: 60_000, everyMs: 100, what: 'every event to show' });
    const shownAfter = (performance.now() - since) / 1000 - seconds;
    const bytes = (await databaseBytes(servers, `${product.databasePrefix}metrics`)) - bytesBefore;

    return {
      goals: [
        atLeast('events counted', events / seconds, 20_000, 'a second'),
        atMost('all CPU an event', sum(COUNTED.map((name) => cpu[name] ?? 0)), 60, 'µs'),
        atMost('last event shows after', shownAfter, 2, 's'),
      ],
      notes: [
        { what: 'events', measured: events, unit: '' },
        { what: 'batches sent again, refused at first', measured: again, unit: '' },
        ...COUNTED.map((name) => ({ what: `CPU an event, ${name}`, measured: cpu[name] ?? 0, unit: 'µs' })),
        { what: 'disk for a million events', measured: bytes / events, unit: 'MB' },
      ],
    };
  },
};
