import { setTimeout as delay } from 'node:timers/promises';
import { type Client, jobBody } from '@joblisting/e2e/harness';
import { atLeast, atMost, type Experiment, type Figure, none, note, type Run, sized } from '../experiment.ts';
import { reasonOf, untilDecided } from '../load/decided.ts';
import { beSlow, type SlowEnd, slownesses } from '../load/slow.ts';
import { startWorkers, under } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import { quantile, tally } from '../statistics.ts';
import { grownMost, memoryOf } from '../system/memory.ts';
import { RECEIVE_TIMEOUT_MS, single } from '../system/shapes.ts';
import { noneGaveUp } from '../system/victims.ts';
import type { World } from '../system/world.ts';

/** Connections of each kind at once. */
const EACH = { ci: 20, full: 200 };
const LASTS_MS = { ci: 2000, full: 30_000 };
const ORDINARY = 4;
const PAUSE_MS = 20;
const DESCRIPTION_BYTES = 1024 * 1024;
/** How many times as long as one that sends slowly a client has that does not read; more where time has no weight. */
const NOT_READING = { ci: 5, full: 2 };
/** The answer itself, and the looks of the server and of this program, come on top. */
const MARGIN_MS = 2500;
const GROWTH_MB = 150;

/** Clients that send their headers or bodies byte by byte, or never read an answer, beside ordinary ones. */
export const slowClients: Experiment = {
  name: 'slow-clients',
  run: (run) =>
    run.systems.use(single, async ({ fleet, world }) => {
      const { api, companyId, keys } = world;
      const large = jobBody(companyId, { description: 'x'.repeat(DESCRIPTION_BYTES) });
      const { answer } = await untilDecided(() => api.post('/jobs', large));
      const origin = fleet.origins[0] as string;
      const kinds = slownesses(origin, keys, `/jobs/${Number(answer.json.data.id)}`);
      const requests = await ordinaryRequests(world);
      const random = randomOf(run.seed);
      // Where times have no weight, a request may also have been too late.
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
      const weighing = startWorkers(1, async () => {
        const [now] = await memoryOf(fleet.replicas('gateway'));
        if (now && now.megabytes > (heaviest[0]?.megabytes ?? 0)) heaviest[0] = now;
        await delay(500);
      });
      const each = sized(run, EACH);
      const lastsMs = sized(run, LASTS_MS);
      const endAt = performance.now() + lastsMs;
      const ends: SlowEnd[] = [];
      // They come one after the other, and come back when they are cut off.
      const holdOn = async (index: number): Promise<void> => {
        await delay((index / each) * Math.min(lastsMs, 10_000));
        do {
          for (const end of await Promise.all(
            kinds.map((kind) => beSlow(origin, kind, patience(run, kind.reads))),
          )) {
            ends.push(end);
          }
        } while (performance.now() < endAt);
      };
      const slow = (): Promise<void[]> =>
        Promise.all(Array.from({ length: each }, (_, index) => holdOn(index)));
      await under(weighing, () => under(ordinary, slow));
      const grown = grownMost(before, heaviest);
      const held = ends
        .filter(({ isCutOff }) => !isCutOff)
        .map(({ name, heldMs, answer: line }) => `${name} for ${heldMs.toFixed(0)} ms (${line})`);
      const of = `${times.length} ordinary requests`;
      return [
        none('Slow clients: ordinary requests not answered 2xx', failures, of),
        none('Slow clients: not cut off', held, `${ends.length} slow connections`),
        atLeast('Slow clients: connections', ends.length, each * kinds.length),
        ...kinds.map(({ name, reads }) => longest(run, name, ends, patience(run, reads))),
        atMost(run, 'Slow clients: gateway memory grown', grown.megabytes, GROWTH_MB, 'MB'),
        noneGaveUp(fleet),
        note(
          'Slow clients: ordinary requests, p50, p99, worst',
          [0.5, 0.99, 1].map((part) => `${quantile(times, part).toFixed(0)} ms`).join(', '),
        ),
        note('Slow clients: their answers', tally(ends.map(({ name, answer: line }) => `${name} ${line}`))),
      ];
    }),
};

/** Reading nothing is noticed a while later than sending little. */
const patience = (run: Run, reads: boolean): number =>
  RECEIVE_TIMEOUT_MS * (reads ? 1 : sized(run, NOT_READING)) + MARGIN_MS;

const longest = (run: Run, kind: string, ends: readonly SlowEnd[], limitMs: number): Figure =>
  atMost(
    run,
    `Slow clients: held longest, ${kind}`,
    quantile(
      ends.filter(({ name }) => name === kind).map(({ heldMs }) => heldMs),
      1,
    ),
    limitMs,
    'ms',
  );

async function ordinaryRequests({ api, companyId }: World) {
  const { answer } = await untilDecided(() => api.post('/jobs', jobBody(companyId)));
  const path = `/jobs/${Number(answer.json.data.id)}`;
  let counter = 0;
  const requests: readonly { readonly name: string; readonly send: () => ReturnType<Client['send']> }[] = [
    { name: 'GET job', send: () => api.get(path) },
    { name: 'GET jobs', send: () => api.get(`/jobs?company.id=${companyId}&pageSize=20`) },
    { name: 'PUT job', send: () => api.put(path, { title: `Title ${counter++}` }) },
    { name: 'POST job', send: () => api.post('/jobs', jobBody(companyId)) },
  ];
  return requests;
}
