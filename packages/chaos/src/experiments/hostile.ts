import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, quantile, sum, tally, waitFor } from '@joblisting/testing';
import { type Fleet, persistently, requestsTo } from '@joblisting/testing/system';
import type { Experiment, Run } from '../experiment.ts';
import { type Figure, none, sized } from '../figures.ts';
import { attackers } from '../load/attackers.ts';
import type { Attack } from '../load/flood.ts';
import { createOtherClient } from '../load/other-client.ts';
import { startWorkers, underLoad } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import { memoryOf } from '../system/memory.ts';
import type { Setting } from '../system/setting.ts';
import { SHORT_RECEIVE_MS, singleWith } from '../system/shapes.ts';
import { crashedProcesses } from '../system/victims.ts';
import { makeWorld } from '../system/world.ts';

/** A run has one of so many attackers, drawn by the seed. */
const ONE_OF = { ci: 3, full: 1 };
const LASTS_MS = { ci: 2000, full: 20_000 };
/** The other client alone, after the processes have started. */
const WARM_UP_MS = { ci: 200, full: 3000 };
/** Requests before that: code that runs for the first time is slow, and that is not what is measured here. */
const WARM_UP_REQUESTS = { ci: 0, full: 3000 };
const RECEIVE_MS = { ci: SHORT_RECEIVE_MS, full: 10_000 };
const SUCCEED_PERCENT = { ci: 90, full: 99 };
const P99_MS = 500;
const PROMISED_MB = 300;
const READ_EVERY_MS = 250;
const RECOVERY_LIMIT_MS = 90_000;

/** One attacker after the other, each with keys of its own, beside a well-behaved client of another company. */
export const hostile: Experiment = {
  name: 'hostile',
  run: (run) =>
    run.systems.use(singleWith(sized(run, RECEIVE_MS)), async (setting) => {
      const figures: Figure[] = [];
      for (const [name, start] of drawn(run)) {
        const figure = await attack(run, setting, name, start).catch((error: unknown) =>
          none(`Hostile: ${name}: errors`, [String(error)], '1'),
        );
        run.say(`${figure.promise}: ${figure.measured}`);
        figures.push(figure);
        await recover(run, setting);
      }
      return figures;
    }),
};

function drawn(run: Run): [string, Attack][] {
  const oneOf = sized(run, ONE_OF);
  const rest = randomOf(run.seed).whole(0, oneOf - 1);
  return Object.entries(attackers).filter((_, index) => index % oneOf === rest);
}

async function attack(
  run: Run,
  { servers, fleet, world }: Setting,
  name: string,
  start: Attack,
): Promise<Figure> {
  const origin = fleet.origins[0] as string;
  const paths = ['/countries', '/jobtypes', `/jobs?company.id=${world.companyId}`];
  const requests = Array.from(
    { length: sized(run, WARM_UP_REQUESTS) },
    (_, index) => paths[index % 3] as string,
  );
  await inParallel(requests, 16, async (path) => void (await world.api.get(path)));
  const otherClient = await createOtherClient(origin, world);
  await otherClient.run(sized(run, WARM_UP_MS));
  const own = await makeWorld(servers, fleet, {});
  const outcomes = new Map<number | string, number>();
  const stop = await start({
    scale: run.scale,
    origin,
    world: own,
    requests: requestsTo(origin, own.keys),
    count: (outcome, requests = 1) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + requests),
  });
  // The attack shares the process of the other client, so its own delay is part of every figure.
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const memory = watchMemory(fleet);
  const { samples, sent } = await underLoad(memory, () =>
    underLoad({ stop: async () => stop() }, async () => {
      const samples = await otherClient.run(sized(run, LASTS_MS));
      lag.disable();
      return { samples, sent: new Map(outcomes) };
    }),
  );
  otherClient.close();

  const failures = samples.flatMap(({ failure = [] }) => failure);
  const succeeded = (1 - failures.length / samples.length) * 100;
  const times = samples.map(({ ms }) => ms);
  const p99 = quantile(times, 0.99);
  const peaks = [...memory.peaks].toSorted(([, one], [, other]) => other - one);
  const ended = crashedProcesses(fleet.all());
  const least = sized(run, SUCCEED_PERCENT);
  const isWithinLimits = p99 <= P99_MS && peaks.every(([, megabytes]) => megabytes <= PROMISED_MB);
  return {
    promise: `Hostile: ${name}`,
    measured: [
      `other client ${succeeded.toFixed(1)} % 2xx, p99 ${p99.toFixed(0)} ms`,
      ...(failures.length > 0 ? [tally(failures)] : []),
      `MB ${peaks.map(([service, megabytes]) => `${service} ${megabytes.toFixed(0)}`).join(', ')}`,
      `${ended.length} ended${ended.length > 0 ? ` (${ended.join(', ')})` : ''}`,
      `sent ${sum(sent.values())} (${[...sent].map((one) => one.join(': ')).join(', ')})`,
      `own delay p99 ${(lag.percentile(99) / 1e6).toFixed(0)} ms`,
    ].join('; '),
    target: sized(run, {
      ci: `≥ ${least} % 2xx, 0 ended`,
      full: `≥ ${least} % 2xx, p99 ≤ ${P99_MS} ms, ≤ ${PROMISED_MB} MB, 0 ended`,
    }),
    ok: succeeded >= least && ended.length === 0 && sized(run, { ci: true, full: isWithinLimits }),
    isPromise: true,
  };
}

/** Records the highest resident memory of each service until `stop`. */
function watchMemory(fleet: Fleet) {
  const peaks = new Map<string, number>();
  const { stop } = startWorkers(1, async () => {
    for (const { name, megabytes } of await memoryOf(fleet.all())) {
      peaks.set(name, Math.max(megabytes, peaks.get(name) ?? 0));
    }
    await delay(READ_EVERY_MS);
  });
  return { peaks, stop };
}

/**
 * Restarts the processes that have ended; at full scale all of them, so that an attacker's memory does not count for the
 * next one. Waits until requests succeed.
 */
async function recover(run: Run, { fleet, world }: Setting): Promise<void> {
  const stale = fleet.all().filter(({ pid }) => sized(run, { ci: pid() === undefined, full: true }));
  await Promise.all(
    stale.map(async (service) => {
      await service.stop();
      await persistently(service.restart);
    }),
  );
  const list = `/jobs?company.id=${world.companyId}`;
  await waitFor(async () => (await world.api.get(list)).status === 200, {
    limitMs: RECOVERY_LIMIT_MS,
    everyMs: 250,
    what: 'the list of the other client',
  });
}
