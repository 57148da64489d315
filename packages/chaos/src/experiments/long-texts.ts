import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { jobBody } from '@joblisting/testing/system';
import type { Experiment } from '../experiment.ts';
import { atMost, type Figure, none, note, sized } from '../figures.ts';
import { textsInBodies, textsInHeads } from '../load/long-texts.ts';
import { noneCrashed } from '../system/victims.ts';

/** Just under the largest body, with room for the other properties. */
const BYTES = { ci: 256 * 1024, full: 4 * 1024 * 1024 - 2048 };
const PROMISED_MS = 50;
/** For the watchers to write what they have seen. */
const WRITING_MS = 200;
const SLOWEST_SHOWN = 5;

const watcher = new URL('../system/watch-turns.ts', import.meta.url).href;

/** Sends the worst kinds of text wherever a client can send text, one request at a time. */
export const longTexts: Experiment = {
  name: 'long-texts',
  run: async (run) => {
    const directory = await mkdtemp(join(tmpdir(), 'chaos-turns-'));
    const env = { NODE_OPTIONS: `--import=${watcher}`, TURNS_DIRECTORY: directory };
    try {
      return await run.systems.use({ env }, async ({ fleet, world }) => {
        const job = await world.api.post('/jobs', jobBody(world.companyId));
        const category = await world.api.post('/jobcategories', {
          name: 'Long texts',
          company: { id: world.companyId },
        });
        const existing = { jobId: Number(job.json.data.id), categoryId: Number(category.json.data.id) };
        const texts = [
          ...textsInBodies(world, existing, sized(run, BYTES)),
          ...textsInHeads(world, existing),
        ];
        const turnOf = async (pid: number | undefined): Promise<number[]> =>
          (await readFile(join(directory, String(pid)), 'utf8')).split(' ').map(Number);
        for (const service of fleet.all()) service.kill('SIGWINCH');
        await delay(WRITING_MS);

        const wrong: string[] = [];
        const times: { name: string; ms: number }[] = [];
        for (const { name, send, isRight } of texts) {
          const since = performance.now();
          const answer = await send();
          times.push({ name, ms: performance.now() - since });
          if (!isRight(answer)) wrong.push(`${name}: ${answer.status} ${String(answer.json?.code)}`);
        }
        await delay(WRITING_MS);

        const turns: Figure[] = [];
        const delays: string[] = [];
        for (const { name, pid } of fleet.all()) {
          const [cpuMs = NaN, delayMs = NaN] = await turnOf(pid());
          turns.push(atMost(run, `Long texts: CPU of the longest turn of ${name}`, cpuMs, PROMISED_MS, 'ms'));
          delays.push(`${name} ${delayMs.toFixed(0)} ms`);
        }
        const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_SHOWN);
        return [
          none('Long texts: wrong answers', wrong, `${texts.length} requests`),
          ...turns,
          noneCrashed(fleet),
          note('Long texts: longest delays, other processes included', delays.join(', ')),
          note(
            'Long texts: slowest answers',
            slowest.map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`).join('; '),
          ),
        ];
      });
    } finally {
      // The watchers of processes that are being stopped may still write.
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};
