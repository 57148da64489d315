import { spawn } from 'node:child_process';
import { mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allOnPath } from '../local/bootstrap/command.mjs';
import { say } from './tally.mjs';
import { sh, tryRun } from './shell.mjs';
import { until } from './wait.mjs';

const startLimitMs = 30_000;
const isThere = (program) => allOnPath(program).length > 0;
const engineAnswers = async () => (await tryRun('docker', ['info'])).ok;
const composePlugin = async () => (await tryRun('docker', ['compose', 'version', '--short'])).ok;

/** Why nothing can be installed here; undefined where it can. */
function notInstallable() {
  if (process.getuid?.() !== 0) return 'only root can install or start one';
  return isThere('apt-get') ? undefined : 'there is no apt-get to install one with';
}

/**
 * A Docker engine and Compose: what is there, or what Debian has.
 * @returns {Promise<{compose: string[], stop: () => void} | {missing: string}>} the command of Compose, and an end to
 *   the engine where it was started here
 */
export async function findEngine() {
  const runs = await engineAnswers();
  const hasCompose = isThere('docker-compose') || (await composePlugin());
  const wanted = [
    ...(runs || isThere('dockerd') ? [] : ['docker.io', 'iptables']),
    ...(hasCompose ? [] : ['docker-compose']),
  ];
  if (!runs || wanted.length > 0) {
    const reason = notInstallable();
    if (reason !== undefined) return { missing: `no Docker engine with Compose answers, and ${reason}` };
  }
  const problem = wanted.length > 0 ? await install(wanted) : undefined;
  if (problem !== undefined) return { missing: problem };
  const stop = runs ? () => {} : await startEngine();
  if (stop === undefined) return { missing: 'the Docker engine cannot run here' };
  return { compose: (await composePlugin()) ? ['docker', 'compose'] : ['docker-compose'], stop };
}

async function install(packages) {
  say(`Installing ${packages.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = ['install', '-y', '-q', '--no-install-recommends'];
  await tryRun('apt-get', ['update', '-q']);
  const { ok, output } = await tryRun('apt-get', [...options, ...packages], { env });
  return ok ? undefined : `${packages.join(', ')} cannot be installed: ${output.split('\n').at(-1)}`;
}

async function startEngine() {
  const log = join(mkdtempSync(join(tmpdir(), 'dockerd-')), 'log');
  const output = openSync(log, 'w');
  const child = spawn('dockerd', [], { detached: true, stdio: ['ignore', output, output] });
  const ended = new Promise((resolve) => {
    child.once('error', resolve).once('exit', resolve);
  });
  const answers = until('the Docker engine', startLimitMs, engineAnswers).then(
    () => true,
    () => false,
  );
  if (!(await Promise.race([answers, ended.then(() => false)]))) {
    say(await sh('tail', ['-n', '5', log]));
    return undefined;
  }
  child.unref();
  return () => void child.kill();
}
