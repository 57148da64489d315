import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serviceNames } from '@joblisting/testing/system';
import { freePort, guard, waitFor } from '@joblisting/testing';
import { atMost } from '../measure/goals.ts';
import { descendantsOf, proportionalMegabytes, residentMegabytes } from '../measure/processes.ts';
import type { Note } from '../measure/result.ts';
import { sum } from '../statistics.ts';
import type { Scenario } from './scenario.ts';

const repository = new URL('../../../..', import.meta.url).pathname;
const MOST_MB = 1000;
const START_LIMIT_MS = 60_000;
const SETTLE_MS = 5000;

/** A process that has ended and that nobody has asked about has no command any more. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

/** Memory of `npm start` without requests and without MongoDB. */
export const idle: Scenario = {
  name: 'idle',
  run: async ({ servers, seeded: { product } }) => {
    await product.stop();
    const dataDir = join(servers.directory, 'data');
    const logFile = join(servers.directory, 'start.log');
    const log = openSync(logFile, 'a');
    const child = spawn('npm', ['start'], {
      cwd: repository,
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        PORT: String(await freePort()),
        MONGODB_URI: servers.mongod.uri,
      },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    const guarded = guard(child.pid as number);
    const all = (): number[] => [child.pid as number, ...descendantsOf(child.pid as number)];
    try {
      const isSeeded = (): boolean => existsSync(join(dataDir, 'demo.json'));
      await waitFor(isSeeded, { limitMs: START_LIMIT_MS, everyMs: 100, what: 'the system to start' }).catch(
        (cause: unknown) => {
          throw new Error(readFileSync(logFile, 'utf8').slice(-2000), { cause });
        },
      );
      await delay(SETTLE_MS);
      const pids = all();
      const notes: Note[] = [
        { what: 'processes', measured: pids.length, unit: '' },
        { what: 'shared pages counted once', measured: sum(pids.map(proportionalMegabytes)), unit: 'MB' },
      ];
      const goals = [atMost('npm start, idle', sum(pids.map(residentMegabytes)), MOST_MB, 'MB')];
      return { goals, notes };
    } finally {
      const started = all();
      child.kill('SIGTERM');
      await waitFor(() => !started.some(isRunning), { what: 'npm start to end' }).finally(guarded.close);
      await product.start(serviceNames);
    }
  },
};
