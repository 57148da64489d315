import { setTimeout as delay } from 'node:timers/promises';
import { servicesWithDatabase } from '@joblisting/contracts/permissions';
import { type ServiceName, serviceNames, type ServiceProcess } from '@joblisting/testing/system';
import { waitFor, tally } from '@joblisting/testing';
import type { Experiment, Run } from '../experiment.ts';
import { atMost, type Figure, none, note, sized } from '../figures.ts';
import { listAll } from '../load/jobs.ts';
import { reasonOf } from '../load/decided.ts';
import { type CreationAttempt, makeProbes, type Probe } from '../load/probes.ts';
import { startWorkers } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import type { Setting } from '../system/setting.ts';
import { single } from '../system/shapes.ts';
import { noneCrashed } from '../system/victims.ts';

const ANSWER_LIMIT_MS = 10_000;
const PROMISED_MS = 3000;
const RECOVERY_LIMIT_MS = 30_000;
const NEEDS_DATABASE = new Set<string>(servicesWithDatabase);

interface Freezable {
  readonly name: string;
  readonly pause: () => void | Promise<void>;
  readonly resume: () => void | Promise<void>;
  /** The services that must not be ready without it. */
  readonly dependents: readonly ServiceProcess[];
}

interface Sample {
  readonly probe: string;
  readonly status: number;
  readonly ms: number;
  readonly error?: string;
}

/** Freezes one dependency after another (SIGSTOP) while it sends requests of all kinds. */
export const frozenDependencies: Experiment = {
  name: 'frozen-dependencies',
  run: (run) =>
    run.systems.use(single, async (setting) => {
      const created: CreationAttempt[] = [];
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
      figures.push(noneCrashed(setting.fleet), await compareWithAnswers(setting, created));
      return figures;
    }),
};

/** All but the gateway, which has its own experiment. */
function freezables({ servers, fleet }: Setting): Record<'servers' | 'services', Freezable[]> {
  const service = (name: ServiceName): Freezable => {
    const every = (signal: NodeJS.Signals) => (): void => {
      for (const process of fleet.replicas(name)) process.kill(signal);
    };
    return { name, pause: every('SIGSTOP'), resume: every('SIGCONT'), dependents: [] };
  };
  const dependents = fleet.all().filter(({ name }) => NEEDS_DATABASE.has(name));
  return {
    servers: [
      { name: 'mongod', ...servers.mongod, dependents },
      { name: 'nats-server', ...servers.nats, dependents: fleet.all() },
    ],
    services: serviceNames.filter((name) => name !== 'gateway').map(service),
  };
}

async function freeze(run: Run, frozen: Freezable, probes: readonly Probe[]): Promise<Figure[]> {
  const samples: Sample[] = [];
  await frozen.pause();
  const load = startWorkers(probes.length, async (index) => {
    samples.push(await sample(probes[index] as Probe));
    await delay(50);
  });
  await delay(sized(run, { ci: 2000, full: 8000 }));
  const ready = await Promise.all(frozen.dependents.map(saysReady));
  await load.stop();
  await frozen.resume();
  const resumedAt = performance.now();
  let failing: Sample[] = [];
  await waitFor(
    async () => {
      const answers = await Promise.all(probes.map(sample));
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
    none(`${frozen.name} frozen: answers other than 2xx, 503, 504`, odd.map(shown), of),
    atMost(
      run,
      `${frozen.name} frozen: slowest answer (${slowest?.probe})`,
      slowest?.ms ?? 0,
      PROMISED_MS,
      'ms',
    ),
    none(`${frozen.name} frozen: services that say they are ready`, ready.flat(), `${ready.length}`),
    none(`${frozen.name} resumed: requests that still fail after 30 s`, failing.map(shown), of),
    note(`${frozen.name} resumed: recovery`, `${recovery.toFixed(0)} ms`),
    note(`${frozen.name} frozen: answers`, tally(samples.map(({ status }) => status))),
  ];
}

const shown = ({ probe, status, error, ms }: Sample): string =>
  `${probe} ${error ?? status} after ${ms.toFixed(0)} ms`;

async function sample({ name: probe, send }: Probe): Promise<Sample> {
  const since = performance.now();
  try {
    const { status } = await send(AbortSignal.timeout(ANSWER_LIMIT_MS));
    return { probe, status, ms: performance.now() - since };
  } catch (error) {
    return { probe, status: 0, ms: performance.now() - since, error: reasonOf(error) };
  }
}

async function saysReady({ name, healthUrl }: ServiceProcess): Promise<string[]> {
  const answer = await fetch(`${healthUrl}/readyz`, { signal: AbortSignal.timeout(PROMISED_MS) }).catch(
    () => undefined,
  );
  return answer?.ok === true ? [name] : [];
}

/** 503 means not executed, and 201 executed. */
async function compareWithAnswers({ world }: Setting, created: readonly CreationAttempt[]): Promise<Figure> {
  const headers = await listAll(world.api, world.companyId);
  const stored = new Set(headers.map(({ referenceId }) => referenceId));
  const wrong = created.filter(
    ({ referenceId, status }) =>
      (status === 503 && stored.has(referenceId)) || (status === 201 && !stored.has(referenceId)),
  );
  return none(
    'Jobs that exist after 503, or are missing after 201',
    wrong.map(({ referenceId, status }) => `${status} ${referenceId}`),
    `${created.length} attempts`,
  );
}
