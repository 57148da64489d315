import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@joblisting/testing';
import { atMost, ratio } from '../measure/goals.ts';
import { untilDerived } from '../seed/copy-jobs.ts';
import { copyDueJobs, dueIds } from '../seed/due-jobs.ts';
import { dueAt, plainTransition } from '../seed/stored-shape.ts';
import { MOVED_CLOCK } from '../system/product.ts';
import type { Bench, Scenario } from './scenario.ts';

const CLOCKED = ['jobs', 'scheduler'] as const;
/** The next launch takes at most this many times longer than the last. */
const LAUNCH_MARGIN = 2.5;
/** More frequent checks would load the database, because removed entries stay in the index for a while. */
const CHECK_EVERY_MS = 500;
const LIMIT_MS = 180_000;
const WRITE_CONCERN = { w: 'majority', j: true } as const;

const jobsDatabase = ({ seeded }: Bench): string => `${seeded.product.databasePrefix}jobs`;

/** Milliseconds of one updateMany on a copy of the due jobs, with the same indexes. */
async function plainUpdate(bench: Bench, noon: number): Promise<number> {
  return bench.servers.mongod.withDatabase(jobsDatabase(bench), async (database) => {
    const jobs = database.collection('jobs');
    const copy = database.collection('bench_due');
    await jobs.aggregate([{ $match: dueIds }, { $out: 'bench_due' }]).toArray();
    for (const { key, name, unique, partialFilterExpression } of await jobs.indexes()) {
      if (name === '_id_') continue;
      await copy.createIndex(key, {
        ...(name !== undefined && { name }),
        unique: unique === true,
        ...(partialFilterExpression && { partialFilterExpression }),
      });
    }
    const since = performance.now();
    await copy.updateMany(dueAt(noon), plainTransition(noon), { writeConcern: WRITE_CONCERN });
    const took = performance.now() - since;
    await copy.drop();
    return took;
  });
}

/** Resolves when the stream gets no more events: those of the seed are published. */
async function untilQuiet({ servers }: Bench): Promise<number> {
  let before = -1;
  await waitFor(
    async () => {
      const now = await servers.eventsPublished();
      const isQuiet = now === before;
      before = now;
      return isQuiet;
    },
    { limitMs: LIMIT_MS, everyMs: 2000, what: 'the stream of job events to be quiet' },
  );
  return before;
}

async function measureNoon(bench: Bench) {
  const { servers, seeded, sizes } = bench;
  const { product } = seeded;
  const noon = await copyDueJobs(servers, seeded, sizes.dueJobs);
  const plainMs = await plainUpdate(bench, noon);
  // The first start has today's clock, so that the counting of lists is not part of the figure.
  const since = performance.now();
  await product.start(CLOCKED);
  const launchMs = performance.now() - since;
  await untilDerived(servers, product);
  const publishedBefore = await untilQuiet(bench);
  await product.stop(CLOCKED);
  const noonAt = Math.ceil(Date.now() + LAUNCH_MARGIN * launchMs);
  await product.start(CLOCKED, { clockOffsetMs: noon - noonAt, env: MOVED_CLOCK });
  if (Date.now() > noonAt)
    throw new Error('The services were not ready before noon: the machine is too slow.');
  await delay(noonAt - Date.now());

  const options = { limitMs: LIMIT_MS, everyMs: CHECK_EVERY_MS };
  const isSettled = () =>
    servers.mongod.withDatabase(
      jobsDatabase(bench),
      async (database) => (await database.collection('jobs').findOne(dueAt(noon))) === null,
    );
  await waitFor(isSettled, { ...options, what: `the transitions of ${sizes.dueJobs} jobs to be stored` });
  const settledMs = Date.now() - noonAt;
  const all = publishedBefore + sizes.dueJobs;
  const isPublished = async () => (await servers.eventsPublished()) >= all;
  await waitFor(isPublished, { ...options, what: `${all} job events in the stream` });
  return { plainMs, settledMs, publishedMs: Date.now() - noonAt };
}

/** Jobs that are due at one noon, until each change is stored and its event acknowledged by the stream. */
export const transitions: Scenario = {
  name: 'transitions',
  run: async (bench) => {
    const { product } = bench.seeded;
    try {
      const { plainMs, settledMs, publishedMs } = await measureNoon(bench);
      return {
        goals: [atMost('stored and published, to one updateMany', ratio(publishedMs, plainMs), 4)],
        notes: [
          { what: 'jobs due', measured: bench.sizes.dueJobs, unit: '' },
          { what: 'one updateMany of the same', measured: plainMs / 1000, unit: 's' },
          { what: 'stored after', measured: settledMs / 1000, unit: 's' },
          { what: 'stored and published after', measured: publishedMs / 1000, unit: 's' },
        ],
      };
    } finally {
      await product.stop(CLOCKED);
      await product.start(CLOCKED);
    }
  },
};
