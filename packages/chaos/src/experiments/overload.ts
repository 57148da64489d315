import { quantile, tally } from '@joblisting/testing';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type TimedAnswer, jobBody } from '@joblisting/testing/system';
import type { Experiment } from '../experiment.ts';
import { atMost, none, note, sized } from '../figures.ts';
import { untilDecided } from '../load/decided.ts';
import { type LoadRequest, openLoad } from '../load/http-load.ts';
import { type Random, randomOf } from '../random.ts';
import { largestGrowth, memoryOf } from '../system/memory.ts';
import { single } from '../system/shapes.ts';
import { noneCrashed } from '../system/victims.ts';
import type { World } from '../system/world.ts';

const JOBS = 200;
const AT_ONCE = 48;
const TIMES_CAPACITY = 3;
/** Opened beforehand, because the promise does not include the cost of new connections. */
const CONNECTIONS = 600;
const ACCEPTED_MS = 500;
const REFUSED_MS = 50;
const GROWTH_MB = 100;

/** The load represents many clients behind a proxy. */
const behindProxy = { ...single, env: { ...single.env, TRUSTED_PROXIES: '127.0.0.1' } };

/** Sends three times the capacity, measured just before, in an open loop. */
export const overload: Experiment = {
  name: 'overload',
  run: (run) =>
    run.systems.use(behindProxy, async ({ fleet, world }) => {
      const random = randomOf(run.seed);
      const ids = await createJobs(world);
      const next = (): LoadRequest => nextRequest(random, world, ids);
      const load = openLoad(fleet.origins[0] as string, world.consumers);
      await load.closedLoop(AT_ONCE, sized(run, { ci: 1000, full: 10_000 }), next);
      const measureMs = sized(run, { ci: 2000, full: 15_000 });
      const capacity = (await load.closedLoop(AT_ONCE, measureMs, next)).length / (measureMs / 1000);
      await load.connect(CONNECTIONS, { method: 'GET', path: '/healthz' });
      const before = await memoryOf(fleet.all());
      run.say(`the capacity is ${capacity.toFixed(0)} requests per second`);

      // The load shares the cores, so its own delay is part of every figure.
      const lag = monitorEventLoopDelay({ resolution: 5 });
      lag.enable();
      const since = performance.now();
      const answers = await load.openLoop(
        capacity * TIMES_CAPACITY,
        sized(run, { ci: 3000, full: 60_000 }),
        next,
      );
      const seconds = (performance.now() - since) / 1000;
      lag.disable();
      const after = await memoryOf(fleet.all());
      load.close();
      await delay(1000);
      const { answer } = await untilDecided(() => world.api.get(`/jobs/${ids[0]}`));

      const accepted = answers.filter(({ status }) => status >= 200 && status < 300).map(({ ms }) => ms);
      const refused = answers.filter(({ status }) => status === 503 || status === 429);
      const withoutRetryAfter = refused.filter(({ hasRetryAfter }) => !hasRetryAfter);
      // Times have no limits at ci scale, so a request may miss its deadline.
      const allowed = sized(run, { ci: [429, 503, 504], full: [429, 503] });
      const others = answers.filter(
        ({ status }) => !(status >= 200 && status < 300) && !allowed.includes(status),
      );
      const refusedMs = refused.map(({ ms }) => ms);
      const growth = largestGrowth(before, after);
      const of = `${answers.length} requests at ${TIMES_CAPACITY} × ${capacity.toFixed(0)}/s`;
      return [
        none(`Overload: answers other than 2xx, ${allowed.join(', ')}`, others.map(shown), of),
        none('Overload: refusals without Retry-After', withoutRetryAfter.map(shown), of),
        noneCrashed(fleet),
        none(
          'Overload: requests that fail afterwards',
          answer.status === 200 ? [] : [String(answer.status)],
          '1',
        ),
        atMost(run, 'Overload: accepted, p99', quantile(accepted, 0.99), ACCEPTED_MS, 'ms'),
        atMost(run, 'Overload: refused, p99', quantile(refusedMs, 0.99), REFUSED_MS, 'ms'),
        atMost(run, `Overload: largest growth of memory (${growth.name})`, growth.megabytes, GROWTH_MB, 'MB'),
        note('Overload: answers', tally(answers.map(({ status }) => status))),
        note('Overload: accepted per second', (accepted.length / seconds).toFixed(0)),
        note("Overload: delay on the load's own side, p99", `${(lag.percentile(99) / 1e6).toFixed(0)} ms`),
      ];
    }),
};

const shown = ({ status, ms }: TimedAnswer): string => `${status} after ${ms.toFixed(0)} ms`;

async function createJobs({ api, companyId }: World): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < JOBS) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.post('/jobs', jobBody(companyId))),
    );
    ids.push(...answers.map(({ json }) => Number(json.data.id)));
  }
  return ids;
}

/** Mostly reads, as in production. */
function nextRequest(random: Random, { companyId }: World, ids: readonly number[]): LoadRequest {
  const dice = random.next();
  const path = `/v1.0/jobs/${random.pick(ids)}`;
  if (dice < 0.75) return { method: 'GET', path };
  if (dice < 0.85) return { method: 'GET', path: `/v1.0/jobs?company.id=${companyId}&pageSize=20` };
  return { method: 'PUT', path, body: JSON.stringify({ title: `Title ${random.whole(1, 1_000_000)}` }) };
}
