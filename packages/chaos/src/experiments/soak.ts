import { slope } from '@joblisting/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, jobBody } from '@joblisting/testing/system';
import type { Experiment, Run } from '../experiment.ts';
import { atMost, type Figure, none, note, sized } from '../figures.ts';
import { sendKeyed } from '../load/creation.ts';
import { reasonOf, untilDecided } from '../load/decided.ts';
import { hostile, type Target } from '../load/hostile.ts';
import { createJournal } from '../load/journal.ts';
import { jobWorker } from '../load/job-worker.ts';
import { connectSlowly, slownesses } from '../load/slow.ts';
import { startWorkers } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import { memoryOf } from '../system/memory.ts';
import { SHORT_RECEIVE_MS, single } from '../system/shapes.ts';
import { noneCrashed } from '../system/victims.ts';
import type { World } from '../system/world.ts';

const WORKERS = 4;
/** Longer at full scale, so that other work can run beside it. */
const PAUSE_MS = { ci: 20, full: 100 };
const SLOW_CONNECTIONS = 3;
const PROMISED_MB = 300;
const MINUTE_MS = 60_000;
const READ_EVERY_MS = 3000;

/** Ordinary and hostile requests for a long time, with the memory of each process. */
export const soak: Experiment = {
  name: 'soak',
  run: (run) =>
    run.systems.use(single, async ({ fleet, world }) => {
      const random = randomOf(run.seed);
      const journal = createJournal();
      // The attackers write the bytes of a day, so the workers need another key.
      const worker = { ...world, api: createClient(fleet.origins[0] as string, world.consumers[1]) };
      const clients = Array.from({ length: WORKERS }, (_, index) =>
        jobWorker(worker, journal, randomOf(run.seed, index + 1), `s${index}`),
      );
      const target = await createTarget(world);
      const wrong: string[] = [];
      let attacks = 0;
      const attack = async (): Promise<void> => {
        const { name, path, send } = hostile(random, target);
        attacks += 1;
        try {
          const { status } = await world.api.send(path, send);
          // A large body may be rejected unread while slow clients use the memory for bodies.
          const isOverloaded = status === 503 && name.includes('large');
          if ((status < 400 || status >= 500) && !isOverloaded) wrong.push(`${name} ${status}`);
        } catch (error) {
          // The connection may close while a rejected body is sent.
          if (!name.includes('large')) wrong.push(`${name} ${reasonOf(error)}`);
        }
      };
      const pauseMs = sized(run, PAUSE_MS);
      const load = startWorkers(WORKERS * 2, async (index) => {
        await (index < WORKERS ? clients[index]?.() : attack());
        await delay(pauseMs);
      });
      const origin = fleet.origins[0] as string;
      const kinds = slownesses(origin, world.keys);
      let slow = 0;
      const slowLoad = startWorkers(SLOW_CONNECTIONS, async () => {
        await connectSlowly(origin, random.pick(kinds), SHORT_RECEIVE_MS * 3);
        slow += 1;
      });
      const memory = await watchMemory(run, () => memoryOf(fleet.all()));
      await Promise.all([load.stop(), slowLoad.stop()]);
      const of = `${attacks} hostile, ${slow} slow and ${journal.writes()} ordinary requests`;
      return [
        none('Hostile requests answered other than 4xx', wrong, of),
        none('Answers against the contract', journal.violations, of),
        noneCrashed(fleet),
        ...memory,
      ];
    }),
};

async function createTarget({ api, companyId }: World): Promise<Target> {
  const usedKey = crypto.randomUUID();
  const body = jobBody(companyId, { title: 'target of the soak' });
  const { answer } = await untilDecided(() => sendKeyed(api, body, usedKey));
  return { companyId, usedKey, jobId: Number(answer.json.data.id) };
}

/** Reads memory until the end of the soak. Resolves to the maximum of each process and its growth in the second half. */
async function watchMemory(run: Run, read: () => ReturnType<typeof memoryOf>): Promise<Figure[]> {
  const points = new Map<string, { x: number; y: number }[]>();
  const since = performance.now();
  const length = run.soakMinutes * MINUTE_MS;
  for (let elapsed = 0; elapsed < length; elapsed = performance.now() - since) {
    for (const [index, { name, megabytes }] of (await read()).entries()) {
      const process = `${name} (${index + 1})`;
      if (!points.has(process)) points.set(process, []);
      points.get(process)?.push({ x: elapsed / MINUTE_MS, y: megabytes });
    }
    await delay(Math.min(READ_EVERY_MS, length / 10));
  }
  return [...points].flatMap(([process, all]) => {
    const growth = slope(all.slice(Math.floor(all.length / 2)));
    return [
      atMost(run, `RSS of ${process}`, Math.max(...all.map(({ y }) => y)), PROMISED_MB, 'MB'),
      note(`Slope of ${process}, second half`, `${growth.toFixed(2)} MB per minute`),
    ];
  });
}
