import { setTimeout as delay } from 'node:timers/promises';
import { jobBody } from '@joblisting/e2e/harness';
import { atMost, type Experiment, type Figure, none, note, type Run } from '../experiment.ts';
import { reasonOf } from '../load/decided.ts';
import { hostile } from '../load/hostile.ts';
import { createJournal } from '../load/journal.ts';
import { jobWorker } from '../load/job-worker.ts';
import { startWorkers } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import { slope } from '../statistics.ts';
import { memoryOf } from '../system/memory.ts';
import { withSetting } from '../system/setting.ts';
import { endedByThemselves } from '../system/victims.ts';

const WORKERS = 4;
const PAUSE_MS = 20;
const PROMISED_MB = 300;
const MINUTE_MS = 60_000;

/** Ordinary and hostile requests side by side for long, and what each process weighs meanwhile. */
export const soak: Experiment = {
  name: 'soak',
  run: (run) =>
    withSetting({}, async ({ fleet, world }) => {
      const random = randomOf(run.seed);
      const journal = createJournal();
      const clients = Array.from({ length: WORKERS }, (_, index) =>
        jobWorker(world, journal, randomOf(run.seed, index + 1), `s${index}`),
      );
      const { json } = await world.api.post('/jobs', jobBody(world.companyId));
      const jobId = Number(json.data.id);
      const wrong: string[] = [];
      let attacks = 0;
      const attack = async (): Promise<void> => {
        const { name, path, send } = hostile(random, world.companyId, jobId);
        attacks += 1;
        try {
          const { status } = await world.api.send(path, send);
          if (status < 400 || status >= 500) wrong.push(`${name} ${status}`);
        } catch (error) {
          wrong.push(`${name} ${reasonOf(error)}`);
        }
      };
      const load = startWorkers(WORKERS * 2, async (index) => {
        await (index < WORKERS ? clients[index]?.() : attack());
        await delay(PAUSE_MS);
      });
      const weights = await weigh(run, () => memoryOf(fleet.all));
      await load.stop();
      const of = `${attacks} hostile and ${journal.writes()} ordinary requests`;
      return [
        none('Hostile requests answered by other than 4xx', wrong, of),
        none('Answers against the contract', journal.violations, of),
        none('Processes that gave up', endedByThemselves(fleet.all), String(fleet.all.length)),
        ...weights,
      ];
    }),
};

/** Weighs until the soak is over. Resolves to the most that each process weighed, and how fast it grew in the second half. */
async function weigh(run: Run, look: () => ReturnType<typeof memoryOf>): Promise<Figure[]> {
  const points = new Map<string, { x: number; y: number }[]>();
  const since = performance.now();
  const length = run.soakMinutes * MINUTE_MS;
  for (let elapsed = 0; elapsed < length; elapsed = performance.now() - since) {
    for (const { name, megabytes } of await look()) {
      points.set(name, [...(points.get(name) ?? []), { x: elapsed / MINUTE_MS, y: megabytes }]);
    }
    await delay(Math.min(1000, length / 10));
  }
  return [...points].flatMap(([name, all]) => {
    const growth = slope(all.slice(Math.floor(all.length / 2)));
    return [
      atMost(run, `RSS of ${name}`, Math.max(...all.map(({ y }) => y)), PROMISED_MB, 'MB'),
      note(`Slope of ${name}, second half`, `${growth.toFixed(2)} MB a minute`),
    ];
  });
}
