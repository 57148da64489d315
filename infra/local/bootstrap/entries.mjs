import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { become, passThrough } from './command.mjs';
import { findNode24 } from './node24.mjs';
import { root } from './paths.mjs';
import { build, prepareNode, prepareServers } from './prepare.mjs';
import { findSchemathesis } from './schemathesis.mjs';

const testRunner = join(root, 'packages', 'testing', 'run-tests.ts');

/** Runs this repository's packages from their sources. */
const fromSource = '--conditions=@joblisting/source';

const serviceFolders = () => readdirSync(join(root, 'services')).map((name) => `services/${name}`);

async function start(steps, args) {
  const { MONGODB_URI, NATS_URL } = process.env;
  const env = await prepareServers(steps, { mongod: !MONGODB_URI, natsServer: !NATS_URL });
  await build(steps, env, [...serviceFolders(), 'infra/local']);
  const main = join(root, 'infra', 'local', 'dist', 'start.js');
  return become(await findNode24(steps), ['--enable-source-maps', main, ...args], {
    cwd: root,
    env: { ...env, BOOTSTRAP_BEGAN_MS: String(performance.timeOrigin) },
  });
}

async function test(steps, args) {
  const binaries = process.env.TEST_SERVERS !== 'containers';
  const env = await prepareServers(steps, { mongod: binaries, natsServer: binaries });
  return passThrough('node', [testRunner, ...args], { cwd: root, env });
}

async function cli(steps, args) {
  const env = await prepareNode(steps);
  await build(steps, env, ['packages/cli']);
  const main = join(root, 'packages', 'cli', 'dist', 'main.js');
  return passThrough('node', ['--enable-source-maps', main, ...args], {
    // Relative file names start where the user called npm.
    cwd: process.env.INIT_CWD ?? process.cwd(),
    env,
  });
}

async function chaos(steps, args) {
  const env = await prepareServers(steps, { mongod: true, natsServer: true });
  const main = join(root, 'packages', 'chaos', 'src', 'main.ts');
  return passThrough('node', [fromSource, main, ...args], {
    cwd: root,
    env: { ...env, TEST_SERVERS: 'binaries' },
  });
}

async function bench(steps, args) {
  const env = await prepareServers(steps, { mongod: true, natsServer: true });
  await build(steps, env, [...serviceFolders(), 'packages/cli', 'infra/local']);
  const main = join(root, 'packages', 'bench', 'src', 'main.ts');
  return passThrough('node', [fromSource, main, ...args], {
    // Relative file names start where the user called npm.
    cwd: process.env.INIT_CWD ?? process.cwd(),
    env: { ...env, TEST_SERVERS: 'binaries' },
  });
}

async function fuzz(steps, args) {
  const schemathesis = await findSchemathesis(steps);
  const env = await prepareServers(steps, { mongod: true, natsServer: true });
  const main = join(root, 'packages', 'e2e', 'src', 'fuzz', 'main.ts');
  return passThrough('node', [fromSource, main, ...args], {
    cwd: root,
    env: { ...env, TEST_SERVERS: 'binaries', SCHEMATHESIS: JSON.stringify(schemathesis) },
  });
}

async function containers(steps, args) {
  const env = await prepareNode(steps);
  const main = join(root, 'infra', 'containers', 'main.mjs');
  return passThrough('node', [fromSource, main, ...args], { cwd: root, env });
}

async function generate(steps) {
  const env = await prepareNode(steps);
  const main = join(root, 'infra', 'generate', 'main.mjs');
  return passThrough('node', [fromSource, main], { cwd: root, env });
}

async function check(steps) {
  return runChecks(await prepareNode(steps));
}

/** The commands of `bootstrap.mjs`. Each returns an exit code. */
export const entries = { start, test, cli, chaos, bench, fuzz, generate, check, containers };
