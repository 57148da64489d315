import { showQuantiles } from '@joblisting/testing';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Answer,
  type Client,
  type Fleet,
  jobBody,
  serviceNames,
  type ServiceProcess,
} from '@joblisting/testing/system';
import type { Experiment } from '../experiment.ts';
import { none, note, sized } from '../figures.ts';
import { startBalancer } from '../load/balancer.ts';
import { sendKeyed } from '../load/creation.ts';
import { reasonOf } from '../load/decided.ts';
import { startWorkers } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import type { Setting } from '../system/setting.ts';
import { pairs } from '../system/shapes.ts';

const WORKERS = 6;
const ROUNDS = { ci: 1, full: 6 };
const PAUSE_MS = 15;

type Request = (client: Client, origin: string) => Promise<Answer>;

/** Restarts one process after another by SIGTERM under load, two of each service. No request is repeated. */
export const rollingRestart: Experiment = {
  name: 'rolling-restart',
  run: (run) =>
    run.systems.use(pairs, async (setting) => {
      const { fleet, world } = setting;
      const random = randomOf(run.seed);
      const requests = await createRequests(setting);
      const balancer = startBalancer(fleet.origins);
      const failures: string[] = [];
      const times: number[] = [];
      let restarting = { name: 'nothing', since: 0 };
      const fail = (what: string): void => {
        const { name, since } = restarting;
        failures.push(`${what} ${Math.round(performance.now() - since)} ms after SIGTERM to ${name}`);
      };
      const load = startWorkers(WORKERS, async () => {
        const { name, keys, send } = random.pick(requests);
        const since = performance.now();
        try {
          const { status, json } = await balancer.send(keys ? world.keys : world.metricsKeys, send);
          if (status >= 400) fail(`${name} ${status} ${String(json?.code)}`);
        } catch (error) {
          fail(`${name} ${reasonOf(error)}`);
        }
        times.push(performance.now() - since);
        await delay(PAUSE_MS);
      });
      const badExits: string[] = [];
      let restarts = 0;
      try {
        for (let round = 0; round < sized(run, ROUNDS); round++) {
          for (const service of random.shuffle(sized(run, { ci: oneOfEach(fleet), full: fleet.all() }))) {
            restarting = { name: service.name, since: performance.now() };
            const code = await service.stop();
            if (code !== 0) badExits.push(`${service.name} ended with ${code}`);
            await service.restart();
            restarts += 1;
            await delay(300);
          }
          run.say(`${restarts} restarts, ${times.length} requests, ${failures.length} failed`);
        }
      } finally {
        await load.stop();
        await balancer.stop();
      }
      return [
        none('Rolling restarts: failed requests', failures, `${times.length} in ${restarts} restarts`),
        none('Rolling restarts: exit codes other than 0', badExits, String(restarts)),
        note('Rolling restarts: answer times, p50, p99, worst', showQuantiles(times, [0.5, 0.99, 1])),
      ];
    }),
};

const oneOfEach = (fleet: Fleet): ServiceProcess[] =>
  serviceNames.flatMap((name) => fleet.replicas(name).slice(0, 1));

async function createRequests({ world }: Setting) {
  const { api, companyId } = world;
  const created = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      api.post('/jobs', jobBody(companyId, { categories: [{ name: `Kind ${index}` }] })),
    ),
  );
  const ids = created.map(({ json }) => Number(json.data.id));
  const shortPath = new URL(String(created[0]?.json.data.url)).pathname;
  let counter = 0;
  const id = (): number => ids[counter++ % ids.length] as number;
  const requests: readonly { name: string; keys: boolean; send: Request }[] = [
    { name: 'GET job', keys: true, send: (client) => client.get(`/jobs/${id()}`) },
    { name: 'GET jobs', keys: true, send: (client) => client.get(`/jobs?company.id=${companyId}`) },
    {
      name: 'PUT job',
      keys: true,
      send: (client) => client.put(`/jobs/${id()}`, { title: `Title ${counter}` }),
    },
    {
      name: 'POST job',
      keys: true,
      send: (client) => client.post('/jobs', jobBody(companyId, { categories: [{ name: 'Kind 1' }] })),
    },
    {
      name: 'POST job with a key',
      keys: true,
      send: (client) => sendKeyed(client, jobBody(companyId), crypto.randomUUID()),
    },
    {
      name: 'GET categories',
      keys: true,
      send: (client) => client.get(`/jobcategories?company.id=${companyId}&active`),
    },
    {
      name: 'POST events',
      keys: false,
      send: (client) =>
        client.post('/metrics/events', {
          events: [{ id: crypto.randomUUID(), jobId: id(), type: 'view' }],
        }),
    },
    { name: 'GET short link', keys: false, send: (client, origin) => client.send(origin + shortPath) },
  ];
  return requests;
}
