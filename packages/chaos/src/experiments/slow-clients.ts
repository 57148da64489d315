import { quantile, showQuantiles, tally } from '@joblisting/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, jobBody } from '@joblisting/testing/system';
import type { Experiment, Run } from '../experiment.ts';
import { atLeast, atMost, type Figure, none, note, sized } from '../figures.ts';
import { reasonOf } from '../load/decided.ts';
import { createJob } from '../load/jobs.ts';
import { connectSlowly, type LargeAnswer, type SlowResult, type Slowness, slownesses } from '../load/slow.ts';
import { startWorkers, underLoad } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import { largestGrowth, memoryOf } from '../system/memory.ts';
import { SHORT_RECEIVE_MS, singleWith } from '../system/shapes.ts';
import { noneCrashed } from '../system/victims.ts';
import type { World } from '../system/world.ts';

/** Connections of each kind at once. */
const EACH = { ci: 20, full: 200 };
const LASTS_MS = { ci: 2000, full: 40_000 };
/** They arrive one after the other, because the gateway has to fetch their answers. */
const ARRIVING_MS = { ci: 2000, full: 20_000 };
const RECEIVE_MS = { ci: SHORT_RECEIVE_MS, full: 10_000 };
const ORDINARY = 4;
const PAUSE_MS = 20;
const DESCRIPTION_BYTES = 1024 * 1024;
/** How many times longer a client may take that does not read. */
const NOT_READING = { ci: 5, full: 2 };
/** For the answer, and the intervals of the checks. */
const MARGIN_MS = 2500;
const PROMISED_MB = 300;

/** Clients that send byte by byte or never read, beside ordinary ones. */
export const slowClients: Experiment = {
  name: 'slow-clients',
  run: (run) =>
    run.systems.use(singleWith(sized(run, RECEIVE_MS)), async ({ fleet, world }) => {
      const origin = fleet.origins[0] as string;
      const kinds = slownesses(origin, world.keys, await largeAnswers(world, origin));
      const requests = await ordinaryRequests(world);
      const random = randomOf(run.seed);
      // Times have no limits at ci scale, so a request may miss its deadline.
      const allowed = sized(run, { ci: [504], full: [] });
      const failures: string[] = [];
      const times: number[] = [];
      const ordinary = startWorkers(ORDINARY, async () => {
        const { name, send } = random.pick(requests);
        const since = performance.now();
        await send().then(
          ({ status }) =>
            status < 300 || allowed.includes(status) ? undefined : failures.push(`${name} ${status}`),
          (error: unknown) => failures.push(`${name} ${reasonOf(error)}`),
        );
        times.push(performance.now() - since);
        await delay(PAUSE_MS);
      });
      const before = await memoryOf(fleet.replicas('gateway'));
      const heaviest = [...before];
      const memoryWatch = startWorkers(1, async () => {
        const [now] = await memoryOf(fleet.replicas('gateway'));
        if (now && now.megabytes > (heaviest[0]?.megabytes ?? 0)) heaviest[0] = now;
        await delay(500);
      });
      const each = sized(run, EACH);
      const lastsMs = sized(run, LASTS_MS);
      const endAt = performance.now() + lastsMs;
      const ends: SlowResult[] = [];
      // A client reconnects after it was cut off.
      const keepSlow = async (index: number): Promise<void> => {
        await delay((index / each) * sized(run, ARRIVING_MS));
        const ofClient = kinds.filter(({ oneOf }) => index % oneOf === 0);
        const hold = async (kind: Slowness): Promise<void> => {
          ends.push(await connectSlowly(origin, kind, holdLimitMs(run, kind)));
        };
        do await Promise.all(ofClient.map(hold));
        while (performance.now() < endAt);
      };
      const slow = (): Promise<void[]> =>
        Promise.all(Array.from({ length: each }, (_, index) => keepSlow(index)));
      await underLoad(memoryWatch, () => underLoad(ordinary, slow));
      const growth = largestGrowth(before, heaviest);
      const notCutOff = ends
        .filter(({ isCutOff }) => !isCutOff)
        .map(({ name, heldMs, answer: line }) => `${name} for ${heldMs.toFixed(0)} ms (${line})`);
      const of = `${times.length} ordinary requests`;
      return [
        none('Slow clients: ordinary requests not answered 2xx', failures, of),
        none('Slow clients: not cut off', notCutOff, `${ends.length} slow connections`),
        atLeast('Slow clients: connections', ends.length, each * 4),
        ...kinds.filter(({ unreadBytes }) => unreadBytes === 0).map((kind) => longest(run, kind, ends)),
        atMost(run, 'Slow clients: RSS of the gateway', heaviest[0]?.megabytes ?? 0, PROMISED_MB, 'MB'),
        note('Slow clients: growth of the gateway', `${growth.megabytes.toFixed(0)} MB`),
        noneCrashed(fleet),
        note('Slow clients: ordinary requests, p50, p99, worst', showQuantiles(times, [0.5, 0.99, 1])),
        note('Slow clients: their answers', tally(ends.map(({ name, answer: line }) => `${name} ${line}`))),
      ];
    }),
};

/** How long a slow connection may stay open. */
const holdLimitMs = (run: Run, { unreadBytes }: Slowness): number =>
  sized(run, RECEIVE_MS) * (unreadBytes === 0 ? 1 : sized(run, NOT_READING)) + MARGIN_MS;

const longest = (run: Run, kind: Slowness, ends: readonly SlowResult[]): Figure =>
  atMost(
    run,
    `Slow clients: held longest, ${kind.name}`,
    quantile(
      ends.filter(({ name }) => name === kind.name).map(({ heldMs }) => heldMs),
      1,
    ),
    holdLimitMs(run, kind),
    'ms',
  );

/** One answer from the gateway's memory, and one that it fetches and buffers for each client. */
async function largeAnswers(world: World, origin: string): Promise<LargeAnswer[]> {
  const description = await world.api.get(`${origin}/openapi.json`);
  const id = await createJob(world, { description: 'x'.repeat(DESCRIPTION_BYTES) });
  const job = `/v1.0/jobs/${id}`;
  return [
    { name: 'the API description', path: '/openapi.json', bytes: description.text.length, oneOf: 1 },
    { name: 'a large job', path: job, bytes: DESCRIPTION_BYTES, oneOf: 5 },
  ];
}

async function ordinaryRequests(world: World) {
  const { api, companyId } = world;
  const path = `/jobs/${await createJob(world)}`;
  let counter = 0;
  const requests: readonly { readonly name: string; readonly send: () => ReturnType<Client['send']> }[] = [
    { name: 'GET job', send: () => api.get(path) },
    { name: 'GET jobs', send: () => api.get(`/jobs?company.id=${companyId}&pageSize=20`) },
    { name: 'PUT job', send: () => api.put(path, { title: `Title ${counter++}` }) },
    { name: 'POST job', send: () => api.post('/jobs', jobBody(companyId)) },
  ];
  return requests;
}
