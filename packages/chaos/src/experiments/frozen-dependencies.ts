import { setTimeout as delay } from 'node:timers/promises';
import { servicesWithDatabase } from '@joblisting/contracts/permissions';
import { type ServiceName, serviceNames, type ServiceProcess } from '@joblisting/testing/system';
import { waitFor } from '@joblisting/testing';
import type { Experiment, Run } from '../experiment.ts';
import { atMost, type Figure, none, note, sized } from '../figures.ts';
import { listAll } from '../load/jobs.ts';
import { reasonOf } from '../load/decided.ts';
import { type Created, makeProbes, type Probe } from '../load/probes.ts';
import { startWorkers } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import { tally } from '../statistics.ts';
import type { Setting } from '../system/setting.ts';
import { single } from '../system/shapes.ts';
import { noneGaveUp } from '../system/victims.ts';

const GIVE_UP_MS = 10_000;
const PROMISED_MS = 3000;
const RECOVERY_LIMIT_MS = 30_000;
const NEEDS_DATABASE = new Set<string>(servicesWithDatabase);

interface Freezable {
  readonly name: string;
  readonly pause: () => void | Promise<void>;
  readonly resume: () => void | Promise<void>;
  /** Services that cannot work without it. */
  readonly needing: readonly ServiceProcess[];
}

interface Sample {
  readonly probe: string;
  readonly status: number;
  readonly ms: number;
  readonly lost?: string;
}

/** Freezes each dependency in turn by SIGSTOP, asks everything meanwhile, and lets it go on. */
export const frozenDependencies: Experiment = {
  name: 'frozen-dependencies',
  run: (run) =>
    run.systems.use(single, async (setting) => {
      const created: Created[] = [];
      const origin = setting.fleet.origins[0] as string;
      const { probes } = await makeProbes(setting.world, origin, (attempt) => created.push(attempt));
      const figures: Figure[] = [];
      const random = randomOf(run.seed);
      const { servers, services } = freezables(setting);
      const chosen = sized(run, { ci: random.shuffle(services).slice(0, 2), full: services });
      for (const frozen of random.shuffle([...servers, ...chosen])) {
        run.say(`freezes ${frozen.name}`);
        figures.push(...(await freeze(run, frozen, probes)));
      }
      figures.push(noneGaveUp(setting.fleet), await refusedMeansNotDone(setting, created));
      return figures;
    }),
};

/** The gateway has an experiment of its own: nobody answers in its stead where it is alone. */
function freezables({ servers, fleet }: Setting): Record<'servers' | 'services', Freezable[]> {
  const service = (name: ServiceName): Freezable => {
    const every = (signal: NodeJS.Signals) => (): void => {
      for (const process of fleet.replicas(name)) process.kill(signal);
    };
    return { name, pause: every('SIGSTOP'), resume: every('SIGCONT'), needing: [] };
  };
  const needing = fleet.all().filter(({ name }) => NEEDS_DATABASE.has(name));
  return {
    servers: [
      { name: 'mongod', ...servers.mongod, needing },
      { name: 'nats-server', ...servers.nats, needing: fleet.all() },
    ],
    services: serviceNames.filter((name) => name !== 'gateway').map(service),
  };
}

async function freeze(run: Run, frozen: Freezable, probes: readonly Probe[]): Promise<Figure[]> {
  const samples: Sample[] = [];
  await frozen.pause();
  const load = startWorkers(probes.length, async (index) => {
    samples.push(await ask(probes[index] as Probe));
    await delay(50);
  });
  await delay(sized(run, { ci: 2000, full: 8000 }));
  const truths = await Promise.all(frozen.needing.map(saysReady));
  await load.stop();
  await frozen.resume();
  const resumedAt = performance.now();
  let failing: Sample[] = [];
  await waitFor(
    async () => {
      const answers = await Promise.all(probes.map(ask));
      failing = answers.filter(({ status }) => status >= 500 || status === 0);
      return failing.length === 0;
    },
    { limitMs: RECOVERY_LIMIT_MS, everyMs: 100, what: `recovery from the freeze of ${frozen.name}` },
  ).catch(() => undefined);
  const recovery = performance.now() - resumedAt;

  const slowest = samples.toSorted((one, other) => other.ms - one.ms)[0];
  const odd = samples.filter(
    ({ status }) => !(status >= 200 && status < 400) && ![503, 504].includes(status),
  );
  const of = `${samples.length} requests`;
  return [
    none(`${frozen.name} frozen: other than 2xx, 503, 504`, odd.map(shown), of),
    atMost(run, `${frozen.name} frozen: slowest (${slowest?.probe})`, slowest?.ms ?? 0, PROMISED_MS, 'ms'),
    none(`${frozen.name} frozen: services that say ready all the same`, truths.flat(), `${truths.length}`),
    none(`${frozen.name} goes on: requests that still fail after 30 s`, failing.map(shown), of),
    note(`${frozen.name} goes on: recovery`, `${recovery.toFixed(0)} ms`),
    note(`${frozen.name} frozen: answers`, tally(samples.map(({ status }) => status))),
  ];
}

const shown = ({ probe, status, lost, ms }: Sample): string =>
  `${probe} ${lost ?? status} after ${ms.toFixed(0)} ms`;

async function ask({ name: probe, send }: Probe): Promise<Sample> {
  const since = performance.now();
  try {
    const { status } = await send(AbortSignal.timeout(GIVE_UP_MS));
    return { probe, status, ms: performance.now() - since };
  } catch (error) {
    return { probe, status: 0, ms: performance.now() - since, lost: reasonOf(error) };
  }
}

async function saysReady({ name, healthUrl }: ServiceProcess): Promise<string[]> {
  const answer = await fetch(`${healthUrl}/readyz`, { signal: AbortSignal.timeout(PROMISED_MS) }).catch(
    () => undefined,
  );
  return answer?.ok === true ? [name] : [];
}

/** 503 says that nothing was done, and 2xx that it was. */
async function refusedMeansNotDone({ world }: Setting, created: readonly Created[]): Promise<Figure> {
  const headers = await listAll(world.api, world.companyId);
  const there = new Set(headers.map(({ referenceId }) => referenceId));
  const wrong = created.filter(
    ({ referenceId, status }) =>
      (status === 503 && there.has(referenceId)) || (status === 201 && !there.has(referenceId)),
  );
  return none(
    'Jobs that are there after 503, or not there after 201',
    wrong.map(({ referenceId, status }) => `${status} ${referenceId}`),
    `${created.length} attempts`,
  );
}
