import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serviceNames } from '@joblisting/e2e/harness';
import { freePort, waitFor } from '@joblisting/testing';
import { everyProcess, proportionalMegabytes, residentMegabytes } from '../kernel/process-figures.ts';
import { descendantsOf, upTo } from '../kernel/process-tree.ts';
import { atMost } from '../measure/goals.ts';
import type { Note } from '../measure/result.ts';
import { sum } from '../statistics.ts';
import type { Scenario } from './scenario.ts';

const repository = new URL('../../../..', import.meta.url).pathname;
const MOST_MB = 900;
const START_LIMIT_MS = 60_000;
const SETTLE_MS = 5000;

/**
 * What `npm start` holds when nothing is asked of it, MongoDB aside. npm and the program that run this bench stand
 * for those that run it.
 */
export const idle: Scenario = {
  name: 'idle',
  run: async ({ servers, seeded: { product } }) => {
    await product.stop();
    const dataDir = join(servers.directory, 'data');
    const logFile = join(servers.directory, 'start.log');
    const log = openSync(logFile, 'a');
    const child = spawn(
      process.execPath,
      ['--enable-source-maps', join(repository, 'infra/local/dist/start.js')],
      {
        cwd: repository,
        env: {
          ...process.env,
          DATA_DIR: dataDir,
          PORT: String(await freePort()),
          MONGODB_URI: servers.mongod.uri,
          NODE_COMPILE_CACHE: join(servers.directory, 'modules'),
        },
        // It stops when this process lets go of the channel.
        stdio: ['ignore', log, log, 'ipc'],
      },
    );
    closeSync(log);
    try {
      const isSeeded = (): boolean => existsSync(join(dataDir, 'demo.json'));
      await waitFor(isSeeded, { limitMs: START_LIMIT_MS, everyMs: 100, what: 'the system to start' }).catch(
        (cause: unknown) => {
          throw new Error(readFileSync(logFile, 'utf8').slice(-2000), { cause });
        },
      );
      await delay(SETTLE_MS);
      const processes = everyProcess();
      const around = upTo(processes, process.pid, /^npm/);
      const pids = [child.pid as number, ...descendantsOf(processes, child.pid as number), ...around];
      const notes: Note[] = [
        { what: 'processes', measured: pids.length, unit: '' },
        { what: 'of them npm and what it runs', measured: around.length, unit: '' },
        { what: 'shared pages counted once', measured: sum(pids.map(proportionalMegabytes)), unit: 'MB' },
      ];
      const goals = [atMost('npm start, idle', sum(pids.map(residentMegabytes)), MOST_MB, 'MB')];
      return { goals, notes };
    } finally {
      const gone = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGTERM');
      await gone;
      await product.start(serviceNames);
    }
  },
};
