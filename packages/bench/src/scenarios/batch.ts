import { randomFrom, sum } from '@joblisting/testing';
import { createClient, requestsTo, serviceNames } from '@joblisting/testing/system';
import { sendAll } from '../load/send-all.ts';
import { atLeast, atMost, ratio } from '../measure/goals.ts';
import { cpuSoFar, used } from '../measure/processes.ts';
import { postBody } from '../seed/bodies.ts';
import type { Bench, Scenario } from './scenario.ts';

const ITEMS = 500;
const SINGLE_AT_ONCE = 32;

interface Sent {
  readonly jobsPerSecond: number;
  /** CPU of all services per job, in microseconds. */
  readonly cpu: number;
}

/** Sends requests that make `jobs` jobs in all, and checks that they are there. */
async function send(
  { groups, seeded }: Bench,
  requests: readonly string[],
  jobs: number,
  how: { readonly atOnce: number; readonly status: number },
): Promise<Sent> {
  const { id, keys } = seeded.world.spare;
  const api = createClient(seeded.product.origin, keys);
  const total = async () => (await api.get(`/jobs?company.id=${id}&pageSize=1`)).json.paging.total as number;
  const totalBefore = await total();
  const before = cpuSoFar(groups);
  const since = performance.now();
  await sendAll(seeded.product.origin, requests, how);
  const seconds = (performance.now() - since) / 1000;
  const cpu = used(before, cpuSoFar(groups), jobs);
  const made = (await total()) - totalBefore;
  if (made !== jobs) throw new Error(`${made} of ${jobs} jobs were made`);
  return { jobsPerSecond: jobs / seconds, cpu: sum(serviceNames.map((name) => cpu[name] ?? 0)) };
}

/** New jobs by one PUT each, and as many by batches of 500, one batch at a time. */
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
    const single = await send(bench, puts, jobs, { atOnce: SINGLE_AT_ONCE, status: 201 });
    const together = await send(bench, batches, jobs, { atOnce: 1, status: 200 });
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
      ],
    };
  },
};
