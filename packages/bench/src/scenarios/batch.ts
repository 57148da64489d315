import { randomFrom, sum } from '@joblisting/testing';
import { createClient, requestsTo, serviceNames } from '@joblisting/testing/system';
import { sendAll } from '../load/send-all.ts';
import { atLeast, atMost, ratio } from '../measure/goals.ts';
import { cpuSoFar, used } from '../measure/processes.ts';
import { postBody } from '../seed/bodies.ts';
import { plainPosts } from './plain.ts';
import type { Bench, Scenario } from './scenario.ts';

const ITEMS = 500;
const SINGLE_AT_ONCE = 32;

interface Sent {
  readonly jobsPerSecond: number;
  /** CPU of the serving processes per job, in microseconds. */
  readonly cpu: number;
}

interface Sending {
  readonly origin: string;
  readonly requests: readonly string[];
  readonly atOnce: number;
  readonly status: number;
  readonly serving: readonly string[];
}

/** Sends requests that make `jobs` jobs in all. */
async function send(
  { groups }: Bench,
  jobs: number,
  { origin, requests, serving, ...how }: Sending,
): Promise<Sent> {
  const before = cpuSoFar(groups);
  const since = performance.now();
  await sendAll(origin, requests, how);
  const seconds = (performance.now() - since) / 1000;
  const cpu = used(before, cpuSoFar(groups), jobs);
  return { jobsPerSecond: jobs / seconds, cpu: sum(serving.map((name) => cpu[name] ?? 0)) };
}

/** Sends to the product, and checks that all jobs are there. */
async function sendToProduct(
  bench: Bench,
  jobs: number,
  sending: Pick<Sending, 'requests' | 'atOnce' | 'status'>,
): Promise<Sent> {
  const { world, product } = bench.seeded;
  const { id, keys } = world.spare;
  const api = createClient(product.origin, keys);
  const total = async () => (await api.get(`/jobs?company.id=${id}&pageSize=1`)).json.paging.total as number;
  const before = await total();
  const sent = await send(bench, jobs, { ...sending, origin: product.origin, serving: serviceNames });
  const made = (await total()) - before;
  if (made !== jobs) throw new Error(`${made} of ${jobs} jobs were made`);
  return sent;
}

/** New jobs by one PUT each, as many by batches of 500, one batch at a time, and as many by POST to the plain bus. */
export const batch: Scenario = {
  name: 'batch',
  run: async (bench) => {
    const { seeded, sizes } = bench;
    const { id, keys } = seeded.world.spare;
    const requests = requestsTo(seeded.product.origin, keys);
    const jobs = Math.max(ITEMS, sizes.postings - (sizes.postings % ITEMS));
    const random = randomFrom(17);
    const options = { companyId: id, format: 'text', publishInDays: -1, closeInDays: 30 } as const;
    const item = (prefix: string, n: number) => ({
      ...postBody(random, { ...options, categoryIds: [1, 2] }),
      referenceId: `${prefix}-${n}`,
    });
    const make = (prefix: string, from: number, count: number) =>
      Array.from({ length: count }, (_, n) => item(prefix, from + n));
    const puts = make('single', 0, jobs).map((body) => requests.put('/v1.0/jobs', JSON.stringify(body)));
    const batches = Array.from({ length: jobs / ITEMS }, (_, n) =>
      requests.post('/v1.0/jobs/batch', JSON.stringify({ items: make('batch', n * ITEMS, ITEMS) })),
    );
    const plain = plainPosts(bench);
    const posts = Array.from({ length: jobs }, () => String(plain.next()));
    const single = await sendToProduct(bench, jobs, { requests: puts, atOnce: SINGLE_AT_ONCE, status: 201 });
    const together = await sendToProduct(bench, jobs, { requests: batches, atOnce: 1, status: 200 });
    const bare = await send(bench, jobs, { ...plain, requests: posts, atOnce: SINGLE_AT_ONCE });
    return {
      goals: [
        atLeast('jobs of batches', together.jobsPerSecond, 200, 'per second'),
        atMost('CPU of services, batch to single', ratio(together.cpu, single.cpu), 1),
      ],
      notes: [
        { what: 'jobs', measured: jobs, unit: '' },
        { what: 'jobs by single requests, 32 at once', measured: single.jobsPerSecond, unit: 'per second' },
        { what: 'CPU of all services per job, single', measured: single.cpu, unit: 'µs' },
        { what: 'CPU of all services per job, batch', measured: together.cpu, unit: 'µs' },
        {
          what: 'jobs by POST to the plain bus, 32 at once',
          measured: bare.jobsPerSecond,
          unit: 'per second',
        },
        { what: 'CPU of the plain bus per job', measured: bare.cpu, unit: 'µs' },
      ],
    };
  },
};
