import { sum } from '@joblisting/testing';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { serviceNames } from '@joblisting/testing/system';
import { cpuSoFar, used } from '../measure/processes.ts';
import { atLeast } from '../measure/goals.ts';
import { postings } from '../seed/postings.ts';
import type { Bench, Scenario } from './scenario.ts';

const main = new URL('../../../cli/dist/main.js', import.meta.url).pathname;
const execute = promisify(execFile);
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

interface Summary {
  readonly postings: number;
  readonly created: number;
  readonly refused: number;
  readonly repaired: number;
  readonly postingsPerSecond: number;
}

async function importPostings({ postingsFile, servers, seeded, sizes }: Bench): Promise<Summary> {
  const { world, product } = seeded;
  const { id, keys } = world.spare;
  const generated = join(servers.directory, 'postings.ndjson');
  if (postingsFile === undefined) await writeFile(generated, postings(sizes.postings, Date.now()));
  const options = {
    company: String(id),
    'base-url': `${product.origin}/v1.0`,
    refused: join(servers.directory, 'refused.ndjson'),
    repaired: join(servers.directory, 'repaired.ndjson'),
  };
  const file = postingsFile === undefined ? generated : resolve(postingsFile);
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const args = ['import', file, '--repair', '--json', ...flags];
  const env = {
    PATH: process.env['PATH'] ?? '',
    JOBS_CONSUMER_KEY: keys.consumer,
    JOBS_USER_KEY: keys.user,
  };
  const { stdout } = await execute(process.execPath, [main, ...args], {
    env,
    maxBuffer: MAX_OUTPUT_BYTES,
  }).catch((error: unknown) => {
    // If postings were refused, it prints its summary and exits with 1.
    const { stdout } = error as { stdout?: string };
    if (!stdout?.startsWith('{')) throw error;
    return { stdout };
  });
  return JSON.parse(stdout) as Summary;
}

/** Imports postings by the command line tool, over HTTP. */
export const importing: Scenario = {
  name: 'import',
  run: async (bench) => {
    const before = cpuSoFar(bench.groups);
    const summary = await importPostings(bench);
    const cpu = used(before, cpuSoFar(bench.groups), summary.postings);
    return {
      goals: [atLeast('postings imported', summary.postingsPerSecond, 300, 'per second')],
      notes: [
        { what: 'postings', measured: summary.postings, unit: '' },
        { what: 'created', measured: summary.created, unit: '' },
        { what: 'repaired', measured: summary.repaired, unit: '' },
        { what: 'refused', measured: summary.refused, unit: '' },
        {
          what: 'CPU of all services per posting',
          measured: sum(serviceNames.map((name) => cpu[name] ?? 0)),
          unit: 'µs',
        },
        { what: 'CPU of mongod per posting', measured: cpu['mongod'] ?? 0, unit: 'µs' },
      ],
    };
  },
};
