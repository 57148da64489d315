import { spawn } from 'node:child_process';
import { mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allOnPath } from '../local/bootstrap/command.mjs';
import { sh, tryRun, until } from './shell.mjs';
import { say } from './tally.mjs';

const startLimitMs = 30_000;
const isInstalled = (program) => allOnPath(program).length > 0;
const engineAnswers = async () => (await tryRun('docker', ['info'])).ok;
const composePlugin = async () => (await tryRun('docker', ['compose', 'version', '--short'])).ok;

/** Why this machine cannot install packages, or undefined. */
function whyNotInstallable() {
  if (process.getuid?.() !== 0) return 'only root can install or start one';
  return isInstalled('apt-get') ? undefined : 'there is no apt-get';
}

/**
 * Finds a Docker engine and Compose, or installs them from Debian.
 * @returns {Promise<{compose: string[], stop: () => void} | {missing: string}>} the command of Compose; `stop` ends the
 *   engine if it was started here
 */
export async function findEngine() {
  const runs = await engineAnswers();
  const hasCompose = isInstalled('docker-compose') || (await composePlugin());
  const packages = [
    ...(runs || isInstalled('dockerd') ? [] : ['docker.io', 'iptables']),
    ...(hasCompose ? [] : ['docker-compose']),
  ];
  if (!runs || packages.length > 0) {
    const reason = whyNotInstallable();
    if (reason !== undefined) return { missing: `no Docker engine with Compose answers, and ${reason}` };
  }
  const problem = packages.length > 0 ? await install(packages) : undefined;
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
