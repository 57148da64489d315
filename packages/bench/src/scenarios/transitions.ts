import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@joblisting/testing';
import { type StatusRead, startStatusReads } from '../load/status-reads.ts';
import { atMost, ratio } from '../measure/goals.ts';
import { copyDueJobs } from '../seed/due-jobs.ts';
import { untilDerived } from '../seed/copy-jobs.ts';
import { dueAt, plainTransition, plainTransitionWithEvent, untold } from '../seed/stored-shape.ts';
import { randomFrom } from '../seed/texts.ts';
import { quantile, sum } from '../statistics.ts';
import { plainUpdate } from './plain-update.ts';
import type { Bench, Scenario } from './scenario.ts';

/** How long reads go on before noon, for those after it to be compared with. */
const CALM_MS = { few: 4000, many: 10_000 };
const MANY = 50_000;
/** A launch takes at most so many times as long as the one before. */
const LAUNCH_MARGIN = 2.5;
const CLOCKED = ['jobs', 'scheduler'] as const;
/** Looking costs the database up to 50 ms: what has left an index stays in it for a while. */
const LOOK_EVERY_MS = 500;
const LIMIT_MS = 180_000;

/** Resolves to when no document of these collections is as its filter says, epoch milliseconds. */
async function untilNoneIs(bench: Bench, filters: Readonly<Record<string, object>>): Promise<number> {
  const { servers, seeded } = bench;
  await servers.mongod.withDatabase(`${seeded.product.databasePrefix}jobs`, (database) => {
    const look = ([name, filter]: [string, object]) =>
      database.collection(name).findOne(filter, { projection: { _id: 1 } });
    const isNone = async () =>
      (await Promise.all(Object.entries(filters).map(look))).every((found) => found === null);
    return waitFor(isNone, { limitMs: LIMIT_MS, everyMs: LOOK_EVERY_MS, what: 'every transition' });
  });
  return Date.now();
}

const p99 = (reads: readonly StatusRead[]): number =>
  quantile(
    reads.map(({ ms }) => ms),
    0.99,
  );

async function liveThroughNoon(bench: Bench) {
  const { servers, seeded, sizes } = bench;
  const { product, world } = seeded;
  const { noon, read } = await copyDueJobs(servers, seeded, sizes.dueJobs);
  const plain = (update: object) => plainUpdate(servers, `${product.databasePrefix}jobs`, { noon, update });
  const bareMs = await plain(plainTransition(noon));
  const plainMs = await plain(plainTransitionWithEvent(noon));
  // With today's clock at first: what the service derives anew is no part of this, and says how long a launch takes.
  const since = performance.now();
  await product.start(CLOCKED);
  const launchMs = performance.now() - since;
  await untilDerived(servers, product);
  await product.stop(CLOCKED);
  const calmMs = sizes.dueJobs < MANY ? CALM_MS.few : CALM_MS.many;
  const noonAt = Math.ceil(Date.now() + LAUNCH_MARGIN * launchMs + calmMs);
  await product.start(CLOCKED, { clockOffsetMs: noon - noonAt });
  if (Date.now() > noonAt) throw new Error('the services came up too late for that noon');
  const { keys, id: companyId } = world.aside;
  const watched = { origin: product.origin, keys, companyId, jobs: read, noonAt };
  const { reads, stop } = startStatusReads(watched, randomFrom(8));
  await delay(noonAt - Date.now());
  const settledAt = await untilNoneIs(bench, { jobs: dueAt(noon) });
  const toldAt = await untilNoneIs(bench, untold);
  await stop();
  return { bareMs, plainMs, settledMs: settledAt - noonAt, toldMs: toldAt - noonAt, reads, noonAt };
}

/** All fall due at one noon, each with its event, while they are read. */
export const transitions: Scenario = {
  name: 'transitions',
  run: async (bench) => {
    const { product } = bench.seeded;
    try {
      const { bareMs, plainMs, settledMs, toldMs, reads, noonAt } = await liveThroughNoon(bench);
      const calm = reads.filter(({ startedAt, ms }) => startedAt + ms < noonAt);
      const busy = reads.filter(({ startedAt }) => startedAt >= noonAt);
      const refused = busy.filter(({ httpStatus }) => httpStatus !== 200).length;
      return {
        goals: [
          atMost('settled and told, to one updateMany', ratio(toldMs, plainMs), 2.5),
          atMost('jobs shown with a wrong status', sum(reads.map(({ wrong }) => wrong)), 0, ''),
          atMost('p99 of reads meanwhile, to before', ratio(p99(busy), p99(calm)), 3),
        ],
        notes: [
          { what: 'jobs due', measured: bench.sizes.dueJobs, unit: '' },
          { what: 'one updateMany of the same', measured: plainMs / 1000, unit: 's' },
          { what: 'one updateMany without events', measured: bareMs / 1000, unit: 's' },
          { what: 'settled after', measured: settledMs / 1000, unit: 's' },
          { what: 'settled and told after', measured: toldMs / 1000, unit: 's' },
          { what: 'p99 of reads before', measured: p99(calm), unit: 'ms' },
          { what: 'p99 of reads meanwhile', measured: p99(busy), unit: 'ms' },
          { what: 'reads before', measured: calm.length, unit: '' },
          { what: 'reads meanwhile', measured: busy.length, unit: '' },
          { what: 'of them with another answer than 200', measured: refused, unit: '' },
        ],
      };
    } finally {
      await product.stop(CLOCKED);
      await product.start(CLOCKED);
    }
  },
};
