import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, waitFor, sum } from '@joblisting/testing';
import { launch } from '@joblisting/testing/system';
import { atMost } from '../measure/goals.ts';
import { descendantsOf, proportionalMegabytes, residentMegabytes } from '../measure/processes.ts';
import type { Scenario } from './scenario.ts';

const bootstrap = new URL('../../../../infra/local/bootstrap.mjs', import.meta.url).pathname;
const MAX_MB = 1000;
const SEED_LIMIT_MS = 60_000;
const QUIET_MS = 5000;

/** Memory of `npm start` without requests and without MongoDB. */
export const idle: Scenario = {
  name: 'idle',
  run: async ({ servers, seeded: { product } }) => {
    await product.stop();
    const DATA_DIR = join(servers.directory, 'data');
    const PORT = String(await freePort());
    const start = await launch({
      name: 'npm start',
      args: [bootstrap, 'start'],
      env: { ...(process.env as Record<string, string>), DATA_DIR, PORT, MONGODB_URI: servers.mongod.uri },
      readyUrl: `http://127.0.0.1:${PORT}/readyz`,
      log: join(servers.directory, 'start.log'),
    });
    try {
      const isSeeded = (): boolean => existsSync(join(DATA_DIR, 'demo.json'));
      await waitFor(isSeeded, { limitMs: SEED_LIMIT_MS, everyMs: 100, what: 'the demo data' });
      await delay(QUIET_MS);
      const pid = start.pid() as number;
      const pids = [pid, ...descendantsOf(pid)];
      return {
        goals: [atMost('npm start, idle', sum(pids.map(residentMegabytes)), MAX_MB, 'MB')],
        notes: [
          { what: 'processes', measured: pids.length, unit: '' },
          { what: 'shared pages counted once', measured: sum(pids.map(proportionalMegabytes)), unit: 'MB' },
        ],
      };
    } finally {
      await start.stop();
      await product.start();
    }
  },
};
